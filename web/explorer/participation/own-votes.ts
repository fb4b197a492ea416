import type { VoteValue } from '@civigraph/client/documents'

const votesPlace = 'civigraph.votes'
/** storage key of earlier releases, which kept one pass for all votes */
const formerPassPlace = 'civigraph.voter-pass'
const maxVotes = 500

/** A vote cast in this browser. */
export interface OwnVote {
  readonly value: VoteValue
  /** permits changing the vote; absent for votes of earlier releases, which are final */
  readonly pass?: string
  /** expiry of the pass, in milliseconds since 1970 */
  readonly until?: number
}

type StoredVote = readonly [expressionId: string, value: VoteValue, pass?: string, until?: number]

export const canChange = ({ pass, until = 0 }: OwnVote, now: number): boolean => pass !== undefined && now < until

/** Returns the last vote of this browser on an expression. */
export function ownVote(expressionId: string): OwnVote | undefined {
  const [, value, pass, until] = ownVotes().find(([id]) => id === expressionId) ?? []
  return value && { value, ...(pass !== undefined && { pass }), ...(until !== undefined && { until }) }
}

export function storeOwnVote(expressionId: string, { value, pass, until }: Required<OwnVote>): void {
  const others = ownVotes().filter(([id]) => id !== expressionId)
  try {
    localStorage.setItem(votesPlace, JSON.stringify([...others, [expressionId, value, pass, until]].slice(-maxVotes)))
    localStorage.removeItem(formerPassPlace)
  } catch {
    // without storage the vote cannot be changed after the page is closed
  }
}

function ownVotes(): readonly StoredVote[] {
  try {
    const votes: unknown = JSON.parse(localStorage.getItem(votesPlace) ?? '[]')
    return Array.isArray(votes) ? votes.filter((each) => Array.isArray(each) && each.length >= 2) : []
  } catch {
    return []
  }
}
