import type { Accounts } from '../../engines/identity/accounts.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { Administrator } from '../graphql/administrator.type.ts'
import { administratorOf } from '../graphql/session.resolver.ts'
import { permissionsWith, rolesOf } from '../roles.ts'

/**
 * The caller, or for a super_admin anybody who administers and whom the issuer can be asked for; null otherwise.
 * @param accounts - undefined where the issuer cannot be asked
 */
export async function findAdministrator(accounts: Accounts | undefined, id: string, { user }: Principal): Promise<Administrator | null> {
  if (user === undefined || rolesOf(user.roles).length === 0) return null
  if (user.subject === id) return administratorOf(user)
  const account = user.roles.includes('super_admin') ? await accounts?.byId(id) : undefined
  if (account === undefined || rolesOf(account.roles).length === 0) return null
  const { email, givenName, familyName, locale, roles, groups } = account
  const name = [givenName, familyName].filter((part) => part !== null).join(' ')
  return {
    id,
    email,
    emailVerified: true,
    name: name === '' ? null : name,
    givenName,
    familyName,
    locale,
    roles: rolesOf(roles),
    groups,
    permissions: permissionsWith(roles),
    issuedAt: null,
    expiresAt: null,
  }
}
