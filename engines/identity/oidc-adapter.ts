import { createHash } from 'node:crypto'
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import type { Database } from '../relational/database.ts'
import { and, eq, sql } from '../relational/drizzle.ts'
import { identityToken } from './tables.ts'

/** Returns the id of a token: its digest, so that a copy of the table grants nothing. */
export const tokenDigest = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** Lookups that this issuer does not use: by session and by device code. */
const unusedFinders = { findByUid: async () => undefined, findByUserCode: async () => undefined }

/**
 * Stores no sessions: each sign-in requires the password, also on a shared machine. Within one sign-in the session is not needed, as one request
 * creates it and the code.
 */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  ...unusedFinders,
}

/** Maximum length of a pending login, which any client can begin, in characters of JSON. */
const maxPendingLogin = 8192

/** Stores codes, refresh tokens, grants and pending logins of oidc-provider. Access tokens are JWTs and not stored. */
export function oidcAdapter(database: Database): AdapterFactory {
  return (model): Adapter => {
    if (model === 'Session') return noSessions
    const row = (id: string) => and(eq(identityToken.model, model), eq(identityToken.id, tokenDigest(id)))
    return {
      async upsert(id, { jti: _, ...payload }, expiresIn) {
        if (model === 'Interaction' && JSON.stringify(payload).length > maxPendingLogin)
          throw new errors.InvalidRequest('the authorization request is too long')
        const values = {
          grantId: payload.grantId ?? null,
          payload: { ...payload },
          expiresAt: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
        }
        await database.orm
          .insert(identityToken)
          .values({ model, id: tokenDigest(id), ...values })
          .onConflictDoUpdate({ target: [identityToken.model, identityToken.id], set: values })
      },
      async find(id) {
        const [stored] = await database.orm.select().from(identityToken).where(row(id))
        if (stored === undefined) return undefined
        // the payload that upsert received, as this model expects it
        const payload: AdapterPayload = { ...stored.payload, jti: id }
        return stored.consumedAt === null ? payload : { ...payload, consumed: Math.floor(stored.consumedAt.getTime() / 1000) }
      },
      async consume(id) {
        // Of two concurrent uses of a code or refresh token exactly one succeeds.
        const consumed = await database.orm
          .update(identityToken)
          .set({ consumedAt: sql`now()` })
          .where(and(row(id), sql`consumed_at is null`))
          .returning({ id: identityToken.id })
        if (consumed.length === 0) throw new errors.InvalidGrant('it was used before')
      },
      async destroy(id) {
        await database.orm.delete(identityToken).where(row(id))
      },
      async revokeByGrantId(grantId) {
        await database.orm.delete(identityToken).where(and(eq(identityToken.model, model), eq(identityToken.grantId, grantId)))
      },
      ...unusedFinders,
    }
  }
}
