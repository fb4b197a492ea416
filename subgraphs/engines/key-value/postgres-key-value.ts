import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Database } from '../relational/database.ts'
import { and, eq, gt, lte, sql } from '../relational/drizzle.ts'
import type { KeyValue } from './key-value.ts'
import { keyValue } from './tables.ts'

const sweepEveryMs = 60_000
const now = sql`clock_timestamp()`
const afterMs = (ttlMs: number) => sql`clock_timestamp() + make_interval(secs => ${ttlMs / 1000})`

/** A table that the platform's processes share; what has expired is invisible at once and removed within about a minute. */
export function postgresKeyValue({ database, log }: { readonly database: Database; readonly log: Log }): KeyValue & Part {
  const { orm } = database
  const sweep = periodic(
    'key-value store',
    sweepEveryMs,
    async () => {
      await orm.delete(keyValue).where(lte(keyValue.expiresAt, now))
    },
    (error) => log.warn({ err: error }, 'expired values could not be removed'),
  )
  return {
    ...sweep,
    engine: 'postgresql',
    async get(key) {
      const [row] = await orm
        .select({ value: keyValue.value })
        .from(keyValue)
        .where(and(eq(keyValue.key, key), gt(keyValue.expiresAt, now)))
      return row?.value
    },
    async set(key, value, ttlMs) {
      const expiresAt = afterMs(ttlMs)
      await orm.insert(keyValue).values({ key, value, expiresAt }).onConflictDoUpdate({ target: keyValue.key, set: { value, expiresAt } })
    },
    async setIfAbsent(key, value, ttlMs) {
      const expiresAt = afterMs(ttlMs)
      const set = await orm
        .insert(keyValue)
        .values({ key, value, expiresAt })
        .onConflictDoUpdate({ target: keyValue.key, set: { value, expiresAt }, setWhere: lte(keyValue.expiresAt, now) })
        .returning({ key: keyValue.key })
      return set.length > 0
    },
    async increment(key, ttlMs) {
      const expired = lte(keyValue.expiresAt, now)
      const [row] = await orm
        .insert(keyValue)
        .values({ key, value: '1', expiresAt: afterMs(ttlMs) })
        .onConflictDoUpdate({
          target: keyValue.key,
          set: {
            value: sql`case when ${expired} then '1' else (${keyValue.value}::bigint + 1)::text end`,
            expiresAt: sql`case when ${expired} then excluded.expires_at else ${keyValue.expiresAt} end`,
          },
        })
        .returning({ value: keyValue.value })
      return Number(row?.value)
    },
    async delete(key) {
      await orm.delete(keyValue).where(eq(keyValue.key, key))
    },
    async deleteIf(key, value) {
      await orm.delete(keyValue).where(and(eq(keyValue.key, key), eq(keyValue.value, value)))
    },
    health: (signal) => database.health(signal),
  }
}
