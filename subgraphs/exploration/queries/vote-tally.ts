import type { AnalyticsStore, ClassedVoteCounts, VoteCounts } from '../../../engines/analytics-store/analytics-store.ts'
import { unpack } from '../roll-ups/packed-counts.ts'

/** Votes by value and their sum. */
export interface VoteFigures extends VoteCounts {
  readonly total: number
}

/** Verified votes and, separately, unverified votes, which no other figure contains. */
export interface ClassedVoteFigures extends VoteFigures {
  readonly unverified: VoteFigures
}

const figuresOf = ({ agree, disagree, pass }: VoteCounts): VoteFigures => ({ total: agree + disagree + pass, agree, disagree, pass })

/** Adds the sums of both classes to the votes by value. */
export const figuresOfVotes = ({ unverified, ...verified }: ClassedVoteCounts): ClassedVoteFigures => ({
  ...figuresOf(verified),
  unverified: figuresOf(unverified),
})

/** Adds up votes of both classes. */
export class VoteTally {
  readonly #verified = { agree: 0, disagree: 0, pass: 0 }
  readonly #unverified = { agree: 0, disagree: 0, pass: 0 }

  get figures(): ClassedVoteFigures {
    return figuresOfVotes({ ...this.#verified, unverified: this.#unverified })
  }

  /** Adds the columns of a statement: verified, then unverified votes. The driver returns sums as text. */
  addRow(counts: VoteColumns): void {
    const [agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass] = counts
    this.addCounts({
      agree: Number(agree),
      disagree: Number(disagree),
      pass: Number(pass),
      unverified: { agree: Number(unverifiedAgree), disagree: Number(unverifiedDisagree), pass: Number(unverifiedPass) },
    })
  }

  addCounts({ unverified, ...verified }: ClassedVoteCounts): void {
    add(this.#verified, verified, 1)
    add(this.#unverified, unverified, 1)
  }

  /** Adds the packed votes of a cell. @param times - -1 subtracts them */
  addCell({ verified, unverified }: PackedVotes, times: number, wants: (key: number) => boolean): void {
    eachVotes(verified, (key, votes) => wants(key) && add(this.#verified, votes, times))
    eachVotes(unverified, (key, votes) => wants(key) && add(this.#unverified, votes, times))
  }
}

/** The packed votes of a cell by key; null when it has no votes. */
export interface PackedVotes {
  readonly verified: string | null
  readonly unverified: string | null
}

/** agree, disagree and pass of verified votes, then of unverified votes */
export type VoteColumns<Count = string | number> = readonly [Count, Count, Count, Count, Count, Count]

/** Calls `take` with the votes of each key. */
export function eachVotes(packed: string | null, take: (key: number, votes: VoteCounts) => void): void {
  unpack(packed ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => take(key, { agree, disagree, pass }))
}

function add(sums: { agree: number; disagree: number; pass: number }, votes: VoteCounts, times: number): void {
  sums.agree += times * votes.agree
  sums.disagree += times * votes.disagree
  sums.pass += times * votes.pass
}

const noVotes = { agree: 0, disagree: 0, pass: 0 }

/** Returns the current votes on each of these expressions, in the order of the ids. */
export async function voteCounts(
  store: Pick<AnalyticsStore, 'countVotes'>,
  ids: readonly string[],
): Promise<readonly ClassedVoteFigures[]> {
  const lowerCaseIds = ids.map((id) => id.toLowerCase())
  const counts = await store.countVotes(lowerCaseIds)
  return lowerCaseIds.map((id) => figuresOfVotes(counts.get(id) ?? { ...noVotes, unverified: noVotes }))
}
