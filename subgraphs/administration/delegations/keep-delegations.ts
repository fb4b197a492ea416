import type { Database } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { delegation } from '../tables.ts'
import type { NewDelegation } from './delegation-record.ts'

export interface Kept {
  readonly created: number
  readonly updated: number
  /** those that said nothing new, or something older than what is known */
  readonly unchanged: number
}

/** Writes delegations, at most 1,000 at once, in one transaction. Of several with one id the newest counts. @throws {EngineUnavailable} */
export async function keepDelegations(database: Database, records: readonly NewDelegation[], source: string): Promise<Kept> {
  const newest = new Map<string, NewDelegation>()
  for (const record of records) {
    const other = newest.get(record.id)
    if (other === undefined || other.revisedAt <= record.revisedAt) newest.set(record.id, record)
  }
  if (newest.size === 0) return { created: 0, updated: 0, unchanged: 0 }
  const saysNew = sql`(
    row(excluded.delegator_code, excluded.delegate_code, excluded.group_id, excluded.domain, excluded.scope, excluded.starts_at, excluded.ends_at)
    is distinct from row(${delegation.delegatorCode}, ${delegation.delegateCode}, ${delegation.groupId}, ${delegation.domain}, ${delegation.scope}, ${delegation.startsAt}, ${delegation.endsAt})
    or (excluded.status = 'revoked') <> (${delegation.status} = 'revoked'))`
  const written = await database.orm
    .insert(delegation)
    .values([...newest.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).map((record) => ({ ...record, source })))
    .onConflictDoUpdate({
      target: delegation.id,
      set: {
        delegatorCode: sql`excluded.delegator_code`,
        delegateCode: sql`excluded.delegate_code`,
        groupId: sql`excluded.group_id`,
        domain: sql`excluded.domain`,
        scope: sql`excluded.scope`,
        // pending, active and expired are what the time makes of it
        status: sql`case when ${saysNew} then excluded.status else ${delegation.status} end`,
        startsAt: sql`excluded.starts_at`,
        endsAt: sql`excluded.ends_at`,
        updatedAt: sql`case when ${saysNew} then excluded.updated_at else ${delegation.updatedAt} end`,
        // also where it says nothing new: what comes late and is older must not win
        revisedAt: sql`excluded.revised_at`,
        source: sql`case when ${saysNew} then excluded.source else ${delegation.source} end`,
      },
      setWhere: sql`excluded.revised_at > ${delegation.revisedAt}`,
    })
    // a record's own two times are one: they part when a later one says nothing new
    .returning({ isNew: sql<boolean>`xmax = 0`, isChanged: sql<boolean>`${delegation.updatedAt} = ${delegation.revisedAt}` })
  const created = written.filter(({ isNew }) => isNew).length
  const changed = written.filter(({ isChanged }) => isChanged).length
  return { created, updated: changed - created, unchanged: records.length - changed }
}
