import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { type ClassedVoteFigures, figuresOfVotes } from '../queries/vote-tally.ts'

const noVotes = { agree: 0, disagree: 0, pass: 0 }

/** Returns the current votes on each of these expressions, in the order of the ids. */
export async function voteCounts(
  store: Pick<AnalyticsStore, 'countVotes'>,
  ids: readonly string[],
): Promise<readonly ClassedVoteFigures[]> {
  const known = ids.map((id) => id.toLowerCase())
  const counts = await store.countVotes(known)
  return known.map((id) => figuresOfVotes(counts.get(id) ?? { ...noVotes, unverified: noVotes }))
}
