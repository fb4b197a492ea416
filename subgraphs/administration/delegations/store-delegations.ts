import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { delegation } from '../tables.ts'
import type { DelegationProblem, NewDelegation } from './delegation-record.ts'
import { holdOffErasures, namingErased } from './erased-citizens.ts'

/** Where delegations are stored. */
export interface DelegationStore {
  readonly database: Database
  readonly pseudonyms: CitizenPseudonyms
}

export interface StoredCounts {
  readonly created: number
  readonly updated: number
  /** records that change nothing or are older than the stored ones */
  readonly unchanged: number
}

/**
 * Writes at most 1,000 delegations in one transaction. Of several with the same id the newest is used.
 * @returns counts, and the problems of the records that are not stored because they name erased citizens  @throws {EngineUnavailable}
 */
export async function storeDelegations(
  { database, pseudonyms }: DelegationStore,
  records: readonly NewDelegation[],
  source: string,
): Promise<StoredCounts & { readonly refusals: ReadonlyMap<NewDelegation, readonly DelegationProblem[]> }> {
  if (records.length === 0) return { created: 0, updated: 0, unchanged: 0, refusals: new Map() }
  return database.transaction(async (tx) => {
    await tx.execute(holdOffErasures)
    const refusals = await namingErased(tx, pseudonyms, records)
    const kept = records.filter((record) => !refusals.has(record))
    return { ...countsOf(kept, await writeDelegations(tx, newestOf(kept), source)), refusals }
  })
}

/** Counts the records by result. @param written - results of the write, by id */
export function countsOf(records: readonly NewDelegation[], written: WriteResults): StoredCounts {
  const created = [...written.values()].filter((done) => done === 'created').length
  return { created, updated: written.size - created, unchanged: records.length - written.size }
}

/** Returns the newest record of each id; of equally new ones the last. */
export function newestOf(records: readonly NewDelegation[]): readonly NewDelegation[] {
  const newest = new Map<string, NewDelegation>()
  for (const record of records) {
    const other = newest.get(record.id)
    if (other === undefined || other.revisedAt <= record.revisedAt) newest.set(record.id, record)
  }
  return [...newest.values()]
}

/** Results of a write by id; an unchanged record is absent. */
export type WriteResults = ReadonlyMap<string, 'created' | 'updated'>

/** Writes at most 1,000 delegations with distinct ids, of which none names an erased citizen. @throws {EngineUnavailable} */
export async function writeDelegations(orm: Transaction, records: readonly NewDelegation[], source: string): Promise<WriteResults> {
  if (records.length === 0) return new Map()
  const isNewer = sql`(
    row(excluded.delegator_code, excluded.delegate_code, excluded.group_id, excluded.domain, excluded.scope, excluded.starts_at, excluded.ends_at)
    is distinct from row(${delegation.delegatorCode}, ${delegation.delegateCode}, ${delegation.groupId}, ${delegation.domain}, ${delegation.scope}, ${delegation.startsAt}, ${delegation.endsAt})
    or (excluded.status = 'revoked') <> (${delegation.status} = 'revoked'))`
  const written = await orm
    .insert(delegation)
    .values([...records].sort((one, other) => (one.id < other.id ? -1 : 1)).map((record) => ({ ...record, source })))
    .onConflictDoUpdate({
      target: delegation.id,
      set: {
        delegatorCode: sql`excluded.delegator_code`,
        delegateCode: sql`excluded.delegate_code`,
        groupId: sql`excluded.group_id`,
        domain: sql`excluded.domain`,
        scope: sql`excluded.scope`,
        // pending, active and expired follow from the time
        status: sql`case when ${isNewer} then excluded.status else ${delegation.status} end`,
        startsAt: sql`excluded.starts_at`,
        endsAt: sql`excluded.ends_at`,
        updatedAt: sql`case when ${isNewer} then excluded.updated_at else ${delegation.updatedAt} end`,
        // also updated when nothing else changes, so that an older record that arrives later is ignored
        revisedAt: sql`excluded.revised_at`,
        source: sql`case when ${isNewer} then excluded.source else ${delegation.source} end`,
      },
      setWhere: sql`excluded.revised_at > ${delegation.revisedAt}`,
    })
    // both times of a new record are equal; they differ after an update without changes
    .returning({
      id: delegation.id,
      isNew: sql<boolean>`xmax = 0`,
      isChanged: sql<boolean>`${delegation.updatedAt} = ${delegation.revisedAt}`,
    })
  return new Map(written.filter(({ isChanged }) => isChanged).map(({ id, isNew }) => [id, isNew ? 'created' : 'updated']))
}
