export interface LexicalSentiment {
  /** -1 to 1 */
  readonly score: number
  /** 0 to 1: agreement of the words with sentiment */
  readonly agreement: number
  /** whether any word has sentiment */
  readonly speaks: boolean
  /** the conclusion without negated parts ("not a single complaint") and praise, for the sentence model */
  readonly rest: string
  /** 0 to 1: the share of the conclusion that remains */
  readonly unsettled: number
  /** a question, request or notice: neutral unless clearly negative */
  readonly matterOfFact: boolean
}

/** normalised as in VADER (Hutto and Gilbert, ICWSM 2014): s / sqrt(s² + 15) */
const squeeze = 15

/** @param values - values in text order, after all rules */
export function sentimentOfValues(values: readonly number[]): Pick<LexicalSentiment, 'score' | 'agreement' | 'speaks'> {
  const sum = values.reduce((a, b) => a + b, 0)
  const scoredWords = values.reduce((a, b) => a + Math.abs(b), 0)
  return {
    score: sum / Math.sqrt(sum * sum + squeeze),
    agreement: scoredWords === 0 ? 0 : Math.abs(sum) / scoredWords,
    speaks: scoredWords > 0,
  }
}
