export interface LexicalSentiment {
  /** -1 to 1 */
  readonly score: number
  /** 0 to 1: how much the words that say something agree */
  readonly agreement: number
  /** whether any does */
  readonly speaks: boolean
  /** what is left to be told by other means: the point without what was denied ("not a single complaint") and without expressions of praise */
  readonly rest: string
  /** 0 to 1: how much of the point that is */
  readonly left: number
  /** a question, a request or a notice: neutral unless it says much that is bad */
  readonly matterOfFact: boolean
}

/** sums are squeezed as VADER does (Hutto and Gilbert, ICWSM 2014): s / sqrt(s² + 15) */
const squeeze = 15

/** @param values - of what is said, in its place, after all turns */
export function sentimentOfValues(values: readonly number[]): Pick<LexicalSentiment, 'score' | 'agreement' | 'speaks'> {
  const sum = values.reduce((a, b) => a + b, 0)
  const said = values.reduce((a, b) => a + Math.abs(b), 0)
  return { score: sum / Math.sqrt(sum * sum + squeeze), agreement: said === 0 ? 0 : Math.abs(sum) / said, speaks: said > 0 }
}
