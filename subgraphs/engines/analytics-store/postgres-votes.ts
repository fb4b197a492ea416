import type { Database } from '../relational/database.ts'
import { count, inArray } from '../relational/drizzle.ts'
import type { VoteCounts } from './analytics-store.ts'
import { vote } from './tables.ts'

const none: VoteCounts = { agree: 0, disagree: 0, pass: 0 }

export async function countVotes(database: Database, expressionIds: readonly string[]): Promise<ReadonlyMap<string, VoteCounts>> {
  const counts = new Map<string, VoteCounts>()
  if (expressionIds.length === 0) return counts
  const rows = await database.orm
    .select({ id: vote.expressionId, value: vote.value, count: count() })
    .from(vote)
    .where(inArray(vote.expressionId, [...expressionIds]))
    .groupBy(vote.expressionId, vote.value)
  for (const { id, value, count: votes } of rows) counts.set(id, { ...(counts.get(id) ?? none), [value]: votes })
  return counts
}
