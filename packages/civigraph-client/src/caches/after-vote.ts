import type { VoteValue } from '../graphql/generated/types.ts'

/** Counts of votes as an operation selected them. */
type Counts = Readonly<Partial<Record<'agree' | 'disagree' | 'pass' | 'total', number>>>

/** An expression with its votes, as an operation selected it. */
export interface VotedExpression {
  readonly myVote?: VoteValue | null | undefined
  readonly votes: Counts
}

const counterOf = { AGREE: 'agree', DISAGREE: 'disagree', PASS: 'pass' } as const satisfies Record<VoteValue, keyof Counts>

/**
 * Returns an expression after a vote of the signed-in user, for optimistic responses: the earlier vote in `myVote` is replaced, so that a
 * repeated or changed vote counts once.
 */
export function afterVote<Expression extends VotedExpression>(expression: Expression, value: VoteValue): Expression {
  const { myVote, votes } = expression
  const changed = (counts: Counts, counter: keyof Counts, by: 1 | -1): Counts => {
    const count = counts[counter]
    return count === undefined ? counts : { ...counts, [counter]: count + by }
  }
  const before = myVote == null ? changed(votes, 'total', 1) : changed(votes, counterOf[myVote], -1)
  return { ...expression, myVote: value, votes: changed(before, counterOf[value], 1) }
}
