import type { Account, Accounts } from '../../../engines/identity/accounts.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { Administrator } from '../graphql/administrator.type.ts'
import { administratorOf } from '../graphql/session.resolver.ts'
import { permissionsWith, rolesOf } from '../roles.ts'

/** maximum of administrators per group */
const maxInGroup = 1000

/** Finds administrators among the accounts of the embedded issuer; with an external one, only the caller is known. */
export class FindAdministrators {
  readonly #accounts: Accounts | undefined

  /** @param accounts - undefined with an external identity provider */
  constructor(accounts: Accounts | undefined) {
    this.#accounts = accounts
  }

  /** Returns the caller or, for a super_admin, any administrator; otherwise null. Batched per request. */
  async byId(id: string, context: RequestContext): Promise<Administrator | null> {
    const { user } = context.principal
    if (user === undefined || rolesOf(user.roles).length === 0) return null
    if (user.subject === id) return administratorOf(user)
    if (!user.roles.includes('super_admin')) return null
    const account = await loader<string, Account | undefined>(context, 'administrators', async (ids) => {
      const matches = new Map(((await this.#accounts?.byIds(ids)) ?? []).map((each) => [each.id, each]))
      return ids.map((each) => matches.get(each))
    }).load(id)
    return account === undefined || rolesOf(account.roles).length === 0 ? null : typeOfAccount(account)
  }

  /** Returns the subject identifier of an account of the embedded issuer; undefined for anything but its e-mail address. */
  async subjectOf(email: string): Promise<string | undefined> {
    return email.includes('@') ? (await this.#accounts?.byEmail(email))?.id : undefined
  }

  /** Returns the group_admins of a group by e-mail address, at most 1,000; null with an external identity provider. Batched per request. */
  async ofGroup(id: string, context: RequestContext): Promise<readonly Administrator[] | null> {
    const accounts = this.#accounts
    if (accounts === undefined) return null
    const matches = await loader<string, readonly Account[]>(context, 'administrators of groups', async (groups) => {
      const all = await accounts.inGroups(groups, 'group_admin')
      return groups.map((group) => all.filter((account) => account.groups.includes(group)).slice(0, maxInGroup))
    }).load(id)
    return matches.map(typeOfAccount)
  }
}

function typeOfAccount({ id, email, givenName, familyName, locale, roles, groups }: Account): Administrator {
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
    groups: groups.map((group) => ({ id: group })),
    permissions: permissionsWith(roles),
    issuedAt: null,
    expiresAt: null,
  }
}
