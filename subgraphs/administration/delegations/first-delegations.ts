import type { Database } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { delegation } from '../tables.ts'
import { readDelegation } from './delegation-record.ts'
import { keepDelegations } from './keep-delegations.ts'

/** What an empty list of delegations begins with. */
export interface FirstDelegations {
  /** kept with each of them, and by which they are removed */
  readonly source: string
  /** as they come from outside (`readDelegation`); those that cannot be read are left out */
  readonly records: (nowMs: number) => readonly unknown[]
}

/** Keeps them where there is no delegation at all. @throws {EngineUnavailable} */
export async function keepFirstDelegations(database: Database, clock: Clock, { source, records }: FirstDelegations): Promise<void> {
  const { rows } = await database.orm.execute(sql`select 1 from delegation limit 1`)
  if (rows.length > 0) return
  const now = clock.now()
  const read = records(now).map((record) => readDelegation(record, now))
  await keepDelegations(
    database,
    read.filter((record) => 'id' in record),
    source,
  )
}

/** @returns how many there were of this source  @throws {EngineUnavailable} */
export async function removeDelegations({ orm }: Database, source: string): Promise<number> {
  const removed = await orm.delete(delegation).where(eq(delegation.source, source)).returning({ id: delegation.id })
  return removed.length
}
