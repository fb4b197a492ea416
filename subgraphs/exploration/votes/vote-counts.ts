import { vote } from '../../engines/analytics-store/tables.ts'
import type { Database } from '../../engines/relational/database.ts'
import { count, inArray } from '../../engines/relational/drizzle.ts'
import type { VoteCounts } from '../graphql/exploration.type.ts'

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** The votes on each of these expressions as they are now, in their order. */
export async function voteCounts(database: Database, ids: readonly string[]): Promise<readonly VoteCounts[]> {
  const known = ids.filter(isUuid)
  const rows =
    known.length === 0
      ? []
      : await database.orm
          .select({ id: vote.expressionId, value: vote.value, count: count() })
          .from(vote)
          .where(inArray(vote.expressionId, known))
          .groupBy(vote.expressionId, vote.value)
  const counts = new Map<string, VoteCounts>()
  for (const { id, value, count: many } of rows) {
    const sums = counts.get(id) ?? none()
    sums[value] += many
    sums.total += many
    counts.set(id, sums)
  }
  return ids.map((id) => counts.get(id.toLowerCase()) ?? none())
}

const none = (): VoteCounts => ({ total: 0, agree: 0, disagree: 0, pass: 0 })
