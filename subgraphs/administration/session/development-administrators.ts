import type { Accounts } from '../../../engines/identity/accounts.ts'
import { fitsPassword } from '../../../engines/identity/password.ts'
import { Fault } from '../../../foundation/fault.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Administrators with passwords in DATA_DIR/credentials.json, in development only. */
export interface DevelopmentAdministrators {
  readonly superAdmin: Credentials
  readonly groupAdmin: Credentials & { readonly groups: readonly string[] }
}

/**
 * Creates the missing accounts of these credentials.
 * @returns a slower check that need not be awaited: it resets the password of existing accounts that differs from the file
 */
export async function createDevelopmentAdministrators(
  accounts: Accounts,
  { superAdmin, groupAdmin }: DevelopmentAdministrators,
): Promise<() => Promise<void>> {
  const people = [
    { ...superAdmin, roles: ['super_admin'], groups: [], givenName: 'Development', familyName: 'Super Admin' },
    { ...groupAdmin, roles: ['group_admin'], givenName: 'Development', familyName: 'Group Admin' },
  ]
  const existing = await Promise.all(people.map(async (person) => ({ person, account: await accounts.byEmail(person.email) })))
  const missing = existing.filter(({ account }) => account === undefined).map(({ person }) => person)
  await Promise.all(missing.map((person) => accounts.create(person).catch(unlessExisting)))
  return async () => {
    for (const { person, account } of existing)
      if (account !== undefined && !(await fitsPassword(person.password, account.passwordHash)))
        await accounts.setPassword(account.id, person.password)
  }
}

/** Ignores the conflict with another process that created the account first. */
function unlessExisting(error: unknown): void {
  if (!(error instanceof Fault && error.code === 'CONFLICT')) throw error
}
