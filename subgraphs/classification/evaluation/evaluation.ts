import type { DomainOf } from '../analysis/fuse.ts'
import type { LabelledText } from './labelled-texts.ts'

/** The predictions of the pipeline for a labelled text. */
export interface EvaluatedText {
  readonly truth: LabelledText
  readonly lang: string
  /** domains by descending score */
  readonly candidates: readonly string[]
  /** null when it abstained */
  readonly domain: string | null
  readonly subDomain: string | null
  /** score of the first domain; confidence of the sentiment */
  readonly sure: { readonly domain: number; readonly sentiment: number }
  /** null when the language has no lexicon */
  readonly sentiment: string | null
}

/** Metrics of a classification; shares from 0 to 1. */
export interface ClassMetrics {
  readonly texts: number
  readonly accuracy: number
  /** unweighted mean of the F1 of the classes that occur; a class that is never predicted counts 0 */
  readonly macroF1: number
  /** expected calibration error with ten bins; NaN without confidences */
  readonly calibrationError: number
  /** wrong predictions by frequency, most frequent first */
  readonly confusions: readonly { readonly truth: string; readonly predicted: string; readonly count: number }[]
}

interface Answer {
  readonly truth: string
  readonly predicted: string
  /** confidence from 0 to 1, if available */
  readonly sure?: number
}

export function classMetrics(answers: readonly Answer[]): ClassMetrics {
  const classes = [...new Set(answers.map(({ truth }) => truth))]
  const f1 = (name: string): number => {
    const right = answers.filter(({ truth, predicted }) => truth === name && predicted === name).length
    return (2 * right) / (count(answers, ({ truth }) => truth === name) + count(answers, ({ predicted }) => predicted === name))
  }
  const pairs = new Map<string, number>()
  for (const { truth, predicted } of answers)
    if (truth !== predicted) pairs.set(`${truth}\t${predicted}`, (pairs.get(`${truth}\t${predicted}`) ?? 0) + 1)
  return {
    texts: answers.length,
    accuracy: count(answers, ({ truth, predicted }) => truth === predicted) / answers.length,
    macroF1: classes.reduce((sum, name) => sum + f1(name), 0) / classes.length,
    calibrationError: calibrationError(answers),
    confusions: [...pairs]
      .sort(([, a], [, b]) => b - a)
      .map(([pair, times]) => {
        const [truth = '', predicted = ''] = pair.split('\t')
        return { truth, predicted, count: times }
      }),
  }
}

const bins = 10

/** @see Guo et al., "On Calibration of Modern Neural Networks", ICML 2017 */
function calibrationError(answers: readonly Answer[]): number {
  if (answers.some(({ sure }) => sure === undefined)) return Number.NaN
  let error = 0
  for (let bin = 0; bin < bins; bin++) {
    const inside = answers.filter(({ sure = 0 }) => Math.min(bins - 1, Math.floor(sure * bins)) === bin)
    const promised = inside.reduce((sum, { sure = 0 }) => sum + sure, 0)
    error += Math.abs(count(inside, ({ truth, predicted }) => truth === predicted) - promised)
  }
  return error / answers.length
}

export interface TopicMetrics extends ClassMetrics {
  readonly top3Accuracy: number
  /** share of the texts with a decided domain, and accuracy among these */
  readonly decided: number
  readonly decidedAccuracy: number
  /** NaN when no label names a sub-domain */
  readonly subDomainAccuracy: number
}

export interface Evaluation {
  readonly languages: ClassMetrics | undefined
  readonly sentiment: ReadonlyMap<string, ClassMetrics>
  readonly topics: ReadonlyMap<string, TopicMetrics>
}

/** Computes metrics per true language, from the labels that a row has. @param domainOf - returns the domain of a sub-domain */
export function evaluate(judged: readonly EvaluatedText[], domainOf: DomainOf): Evaluation {
  const withLanguage = judged.filter(({ truth }) => truth.lang !== '')
  return {
    languages:
      withLanguage.length === 0 ? undefined : classMetrics(withLanguage.map(({ truth, lang }) => ({ truth: truth.lang, predicted: lang }))),
    sentiment: perLanguage(
      judged.filter(({ truth }) => truth.sentiment !== ''),
      (rows) =>
        classMetrics(
          rows.map(({ truth, sentiment, sure }) => ({ truth: truth.sentiment, predicted: sentiment ?? 'unknown', sure: sure.sentiment })),
        ),
    ),
    topics: perLanguage(
      judged.filter(({ truth }) => truth.domain !== ''),
      (rows) => topicMetrics(rows, domainOf),
    ),
  }
}

function topicMetrics(rows: readonly EvaluatedText[], domainOf: DomainOf): TopicMetrics {
  const decided = rows.filter(({ domain }) => domain !== null)
  const fine = rows.filter(({ truth }) => domainOf(truth.domain) !== truth.domain)
  return {
    ...classMetrics(
      rows.map(({ truth, candidates, sure }) => ({ truth: domainOf(truth.domain), predicted: candidates[0] ?? 'none', sure: sure.domain })),
    ),
    top3Accuracy: count(rows, ({ truth, candidates }) => candidates.slice(0, 3).includes(domainOf(truth.domain))) / rows.length,
    decided: decided.length / rows.length,
    decidedAccuracy: count(decided, ({ truth, domain }) => domain === domainOf(truth.domain)) / decided.length,
    subDomainAccuracy: count(fine, ({ truth, subDomain }) => subDomain === truth.domain) / fine.length,
  }
}

function perLanguage<Metrics>(
  rows: readonly EvaluatedText[],
  metrics: (rows: readonly EvaluatedText[]) => Metrics,
): ReadonlyMap<string, Metrics> {
  const languages = [...new Set(rows.map(({ truth }) => truth.lang || 'any'))].sort()
  return new Map(languages.map((lang) => [lang, metrics(rows.filter(({ truth }) => (truth.lang || 'any') === lang))]))
}

const count = <Item>(items: readonly Item[], test: (item: Item) => boolean): number => items.filter(test).length
