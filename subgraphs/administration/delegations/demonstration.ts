import type { Database } from '../../engines/relational/database.ts'
import { eq, sql } from '../../engines/relational/drizzle.ts'
import type { Clock } from '../../foundation/clock.ts'
import { delegation } from '../tables.ts'
import { readDelegation } from './delegation-record.ts'
import { keepDelegations } from './keep-delegations.ts'

const source = 'demonstration'
const dayMs = 86_400_000
const domains = ['health', 'education', 'transport', 'housing-urbanism', undefined]
const groups = ['default', 'default', 'north', 'south']

/** So many delegations that lists have pages and every status is there. Made once, tagged `demonstration`; never where others are. */
export async function demonstrateDelegations(database: Database, clock: Clock): Promise<void> {
  const { rows } = await database.orm.execute(sql`select 1 from delegation limit 1`)
  if (rows.length > 0) return
  const now = clock.now()
  const records = Array.from({ length: 60 }, (_, index) =>
    readDelegation(
      {
        id: `demonstration-${String(index + 1).padStart(3, '0')}`,
        delegator: `CIT-${1000 + index}`,
        delegate: `CIT-${1000 + ((index * 7 + 3) % 60) + (index === (index * 7 + 3) % 60 ? 60 : 0)}`,
        group_id: groups[index % groups.length],
        domain: domains[index % domains.length],
        scope: index % 3 === 0 ? 'all' : 'vote',
        status: index % 10 === 9 ? 'revoked' : undefined,
        starts_at: new Date(now + ((index % 12) - 9) * dayMs).toISOString(),
        ends_at: index % 4 === 0 ? new Date(now + ((index % 12) - 9) * dayMs + 5 * dayMs).toISOString() : undefined,
        created_at: new Date(now - (60 - index) * dayMs).toISOString(),
        updated_at: new Date(now - (60 - index) * dayMs).toISOString(),
      },
      now,
    ),
  )
  await keepDelegations(
    database,
    records.filter((record) => 'id' in record),
    source,
  )
}

/** @returns how many there were  @throws {EngineUnavailable} */
export async function removeDemonstrationDelegations({ orm }: Database): Promise<number> {
  const removed = await orm.delete(delegation).where(eq(delegation.source, source)).returning({ id: delegation.id })
  return removed.length
}
