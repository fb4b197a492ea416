import type { AnalyticsStore } from '../../engines/analytics-store/analytics-store.ts'
import type { VoteCounts } from '../graphql/exploration.type.ts'

/** The votes on each of these expressions as they are now, in their order. */
export async function voteCounts(store: Pick<AnalyticsStore, 'countVotes'>, ids: readonly string[]): Promise<readonly VoteCounts[]> {
  const known = ids.map((id) => id.toLowerCase())
  const counts = await store.countVotes(known)
  return known.map((id) => {
    const { agree, disagree, pass } = counts.get(id) ?? { agree: 0, disagree: 0, pass: 0 }
    return { total: agree + disagree + pass, agree, disagree, pass }
  })
}
