import type { Database } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { holdRegister, removeUnreferenced } from '../register/write-register.ts'
import { delegation } from '../tables.ts'
import { readDelegation } from './delegation-record.ts'
import { type DelegationStore, storeDelegations } from './store-delegations.ts'

/** Delegations to store in an empty list. */
export interface FirstDelegations {
  /** stored with each delegation, to remove them later */
  readonly source: string
  /** records in the outside format (`readDelegation`); invalid ones are skipped */
  readonly records: (nowMs: number) => readonly unknown[]
}

/** Stores them if there is no delegation. @throws {EngineUnavailable} */
export async function storeFirstDelegations(store: DelegationStore, clock: Clock, { source, records }: FirstDelegations): Promise<void> {
  const { rows } = await store.database.orm.execute(sql`select 1 from delegation limit 1`)
  if (rows.length > 0) return
  const now = clock.now()
  const read = records(now).map((record) => readDelegation(record, now))
  await storeDelegations(
    store,
    read.filter((record) => 'id' in record),
    source,
  )
}

/** @returns the number of delegations removed  @throws {EngineUnavailable} */
export async function removeDelegations(database: Database, source: string): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.execute(holdRegister)
    const removed = await tx.delete(delegation).where(eq(delegation.source, source)).returning({
      delegator: delegation.delegatorCode,
      delegate: delegation.delegateCode,
    })
    await removeUnreferenced(
      tx,
      removed.flatMap(({ delegator, delegate }) => [delegator, delegate]),
    )
    return removed.length
  })
}
