import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../foundation/clock.ts'
import { Forbidden, Unauthenticated } from '../../foundation/fault.ts'
import type { UserPrincipal } from '../../foundation/principal.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Queryable } from '../relational/database.ts'
import { and, eq, gt, sql } from '../relational/drizzle.ts'
import { profileOf } from './account-profile.ts'
import { identityAccount, identityToken } from './tables.ts'
import type { TokenVerifier } from './token-verifier.ts'

type StoredAccount = typeof identityAccount.$inferSelect

/** The access token is valid, but its account is closed or its session has ended. */
export class AccountClosed extends Unauthenticated {}

/** The account of the caller no longer has the role that an action requires. */
export class RoleWithdrawn extends Forbidden {}

const closed = (): AccountClosed => new AccountClosed('The account of this access token is closed')

/**
 * Checks the caller's account in a transaction that has locked its row.
 * @param account - the locked row; undefined if the account does not exist
 * @throws {AccountClosed} {RoleWithdrawn}
 */
export async function requireOpenAccount(
  tx: Queryable,
  user: UserPrincipal,
  account: StoredAccount | undefined,
  role: string,
): Promise<void> {
  if (account === undefined || account.disabledAt !== null) throw closed()
  await requireSession(tx, user)
  if (!account.roles.includes(role)) throw new RoleWithdrawn(`The account of this access token no longer has the role ${role}`)
}

async function requireSession(tx: Queryable, { session }: UserPrincipal): Promise<void> {
  if (session === undefined) return
  const held = and(eq(identityToken.model, 'Grant'), eq(identityToken.id, session), gt(identityToken.expiresAt, sql`now()`))
  const [grant] = await tx.select({ id: identityToken.id }).from(identityToken).where(held)
  if (grant === undefined) throw new AccountClosed('The session of this access token has ended')
}

/** interval of audit records of the same closed account in this process, ms */
const recordEveryMs = 60_000

/**
 * Verifies access tokens of the embedded issuer against the current accounts: a closed account or an ended session is refused immediately, and roles,
 * groups, tenant and profile are the current ones. Each verification reads one account by primary key.
 */
export function accountVerifier(parts: {
  readonly tokens: TokenVerifier
  readonly database: { readonly orm: Queryable }
  readonly audit: AuditTrail
  readonly clock: Clock
}): TokenVerifier {
  const { tokens, database, audit, clock } = parts
  const recorded = new LRUCache<string, number>({ max: 1000 })
  const record = async (user: UserPrincipal): Promise<void> => {
    if (clock.now() - (recorded.get(user.subject) ?? 0) < recordEveryMs) return
    recorded.set(user.subject, clock.now())
    const by = { principal: { user }, requestId: randomUUID() }
    await audit.record(by, [{ action: 'token.use', outcome: 'refused', target: user.subject, details: { reason: 'account closed' } }])
  }
  return {
    async verify(token, signal) {
      const user = await tokens.verify(token, signal)
      const { orm } = database
      const [account] = await orm.select().from(identityAccount).where(eq(identityAccount.id, user.subject))
      if (account === undefined || account.disabledAt !== null) {
        await record(user)
        throw closed()
      }
      await requireSession(orm, user)
      const { tenant: _, ...rest } = user
      const { roles, groups, tenant } = account
      return { ...rest, roles, groups, ...(tenant === null ? {} : { tenant }), profile: profileOf(account) }
    },
  }
}
