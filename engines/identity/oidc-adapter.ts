import { createHash } from 'node:crypto'
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import type { Database } from '../relational/database.ts'
import { and, eq, lt, sql } from '../relational/drizzle.ts'
import { identityToken } from './tables.ts'

/** The value of a token is its id: only its digest is kept, so that a copy of the table opens nothing. */
export const tokenDigest = (id: string): string => createHash('sha256').update(id).digest('base64url')

/** Sessions that tokens end with, and device codes, which this issuer does not have. */
const neverAsked = { findByUid: async () => undefined, findByUserCode: async () => undefined }

/**
 * A browser is not remembered from one sign-in to the next: each gives the password, also after somebody else's, on a machine that they share. Within
 * one sign-in nothing asks for what the session was: the request that ends it makes the session and the code.
 */
const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  ...neverAsked,
}

/** Where oidc-provider keeps codes, refresh tokens, grants and who is at its login page. Access tokens are JWTs and are not kept. */
export function oidcAdapter(database: Database): AdapterFactory {
  return (model): Adapter => {
    if (model === 'Session') return noSessions
    const row = (id: string) => and(eq(identityToken.model, model), eq(identityToken.id, tokenDigest(id)))
    return {
      async upsert(id, { jti: _, ...payload }, expiresIn) {
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
        const [found] = await database.orm.select().from(identityToken).where(row(id))
        if (found === undefined) return undefined
        // what upsert was given, which is what this model wants back
        const payload: AdapterPayload = { ...found.payload, jti: id }
        return found.consumedAt === null ? payload : { ...payload, consumed: Math.floor(found.consumedAt.getTime() / 1000) }
      },
      async consume(id) {
        // Of two that come with the same code or refresh token exactly one finds it unused.
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
      ...neverAsked,
    }
  }
}

export async function dropExpiredTokens(database: Database, nowMs: number): Promise<void> {
  await database.orm.delete(identityToken).where(lt(identityToken.expiresAt, new Date(nowMs)))
}
