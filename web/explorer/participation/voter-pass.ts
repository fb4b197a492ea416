import type { VoteValue } from '@civigraph/client/documents'

const passPlace = 'civigraph.voter-pass'
const votesPlace = 'civigraph.votes'
const mostVotes = 500

/** What this browser votes with; undefined before its first vote, or where nothing is kept. */
export const voterPass = (): string | undefined => kept(passPlace) ?? undefined

/** @param pass - undefined: the next vote is another voter's */
export function keepVoterPass(pass: string | undefined): void {
  keep(passPlace, pass)
  if (pass === undefined) keep(votesPlace, undefined)
}

/** How this browser has voted last. */
export const ownVote = (expressionId: string): VoteValue | undefined => new Map(ownVotes()).get(expressionId)

export function keepOwnVote(expressionId: string, value: VoteValue): void {
  const others = ownVotes().filter(([id]) => id !== expressionId)
  keep(votesPlace, JSON.stringify([...others, [expressionId, value]].slice(-mostVotes)))
}

function ownVotes(): readonly (readonly [string, VoteValue])[] {
  try {
    const votes = JSON.parse(kept(votesPlace) ?? '[]')
    return Array.isArray(votes) ? votes.filter((each) => Array.isArray(each) && each.length === 2) : []
  } catch {
    return []
  }
}

function kept(place: string): string | null {
  try {
    return localStorage.getItem(place)
  } catch {
    return null
  }
}

function keep(place: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(place)
    else localStorage.setItem(place, text)
  } catch {
    // a browser that keeps nothing votes as somebody else the next time
  }
}
