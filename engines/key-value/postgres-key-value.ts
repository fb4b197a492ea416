import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Database } from '../relational/database.ts'
import { and, desc, eq, gt, inArray, index, lte, pgTable, sql, text, timestamp } from '../relational/drizzle.ts'
import { defaultLimits, type KeyValue, type KeyValueLimits, type Partition, type PartitionedKeyValue, partitionKey } from './key-value.ts'

/** UNLOGGED: no write-ahead log, empty after a crash of the server */
const keyValue = pgTable(
  'key_value',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    partition: text('partition').notNull().default('security'),
  },
  (table) => [index('key_value_expired').on(table.expiresAt), index('key_value_partition').on(table.partition, table.expiresAt)],
)

const sweepEveryMsByDefault = 60_000
const partitions: readonly Partition[] = ['counters', 'cache', 'entities', 'searches']
const now = sql`clock_timestamp()`
const afterMs = (ttlMs: number) => sql`clock_timestamp() + make_interval(secs => ${ttlMs / 1000})`

export interface PostgresKeyValueOptions {
  readonly database: Database
  readonly log: Log
  readonly limits?: Partial<KeyValueLimits>
  readonly sweepEveryMs?: number
}

/** Stores values in a table shared by the processes; expired values are invisible immediately and deleted within about a minute. */
export function postgresKeyValue(options: PostgresKeyValueOptions): PartitionedKeyValue & Part {
  const { database, log, sweepEveryMs = sweepEveryMsByDefault } = options
  const limits = { ...defaultLimits, ...options.limits }
  const { orm } = database
  const sweep = periodic(
    'key-value store',
    sweepEveryMs,
    async () => {
      await orm.delete(keyValue).where(lte(keyValue.expiresAt, now))
      for (const partition of partitions) {
        const beyond = orm
          .select({ key: keyValue.key })
          .from(keyValue)
          .where(eq(keyValue.partition, partition))
          .orderBy(desc(keyValue.expiresAt))
          .offset(limits[partition])
        await orm.delete(keyValue).where(inArray(keyValue.key, beyond))
      }
    },
    (error) => log.warn({ err: error }, 'could not delete expired values'),
  )
  return {
    ...postgresPartition(database, 'security'),
    ...sweep,
    partition: (name) => postgresPartition(database, name),
  }
}

function postgresPartition(database: Database, partition: Partition | 'security'): KeyValue {
  const { orm } = database
  const stored = (key: string): string => partitionKey(partition, key)
  return {
    engine: 'postgresql',
    async get(name) {
      const key = stored(name)
      const [row] = await orm
        .select({ value: keyValue.value })
        .from(keyValue)
        .where(and(eq(keyValue.key, key), gt(keyValue.expiresAt, now)))
      return row?.value
    },
    async set(name, value, ttlMs) {
      const key = stored(name)
      const expiresAt = afterMs(ttlMs)
      await orm
        .insert(keyValue)
        .values({ key, value, expiresAt, partition })
        .onConflictDoUpdate({ target: keyValue.key, set: { value, expiresAt } })
    },
    async setIfAbsent(name, value, ttlMs) {
      const key = stored(name)
      const expiresAt = afterMs(ttlMs)
      const set = await orm
        .insert(keyValue)
        .values({ key, value, expiresAt, partition })
        .onConflictDoUpdate({ target: keyValue.key, set: { value, expiresAt }, setWhere: lte(keyValue.expiresAt, now) })
        .returning({ key: keyValue.key })
      return set.length > 0
    },
    async increment(name, ttlMs) {
      const key = stored(name)
      const expired = lte(keyValue.expiresAt, now)
      const [row] = await orm
        .insert(keyValue)
        .values({ key, value: '1', expiresAt: afterMs(ttlMs), partition })
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
      await orm.delete(keyValue).where(eq(keyValue.key, stored(key)))
    },
    async deleteIf(key, value) {
      await orm.delete(keyValue).where(and(eq(keyValue.key, stored(key)), eq(keyValue.value, value)))
    },
    health: (signal) => database.health(signal),
  }
}
