import type { TextClassifier } from '../../../../engines/text-classifier/text-classifier.ts'
import { trainedLanguages } from './sentiment-model.ts'
import type { LexicalSentiment } from './sentiment-of-values.ts'
import { lexicalSentiment } from './sentiment-of-words.ts'

export interface SentimentPrediction {
  readonly label: 'positive' | 'neutral' | 'negative'
  /** -1 to 1 */
  readonly score: number
  /** 0 to 1 */
  readonly confidence: number
}

const neutralBelow = 0.2
const labels = ['negative', 'neutral', 'positive'] as const
/**
 * weight of the lexicon against the trained model (in logits) and the calibration of probabilities, chosen on the first and the development
 * set of `test/evaluate/classification`
 */
const lexiconWeight = 7.5
const temperature = 1.5
/** negative score above which a question or notice is not neutral */
const grievance = 0.25
const matterOfFactShift = 0.32
const nothingLearnt = 1 / 3

/**
 * Computes the sentiment of a text from the lexicon and grammar of its language and from a sentence classifier, which decides what the
 * grammar leaves open. Undefined for a language that neither supports: "neutral" would be wrong.
 * @param model - probabilities of positive, neutral and negative
 */
export async function sentimentOf(
  text: string,
  lang: string,
  model: Pick<TextClassifier, 'classify'>,
): Promise<SentimentPrediction | undefined> {
  const lexical = lexicalSentiment(text, lang)
  if (!trainedLanguages.has(lang)) return lexical && byWords(lexical)
  const learnt = await model.classify(lexical?.rest ?? text)
  if (learnt.size === 0 && lexical?.speaks !== true) return { label: 'neutral', score: 0, confidence: 0 }
  const score = lexical?.score ?? 0
  const matterOfFact = lexical?.matterOfFact === true && score > -grievance ? matterOfFactShift : 0
  const weigh = (label: SentimentPrediction['label'], shift: number): number =>
    Math.exp(
      ((lexical?.unsettled ?? 1) * Math.log(Math.max(learnt.get(label) ?? nothingLearnt, 1e-6)) + lexiconWeight * Math.max(0, shift)) /
        temperature,
    )
  const weights = { positive: weigh('positive', score), neutral: weigh('neutral', matterOfFact), negative: weigh('negative', -score) }
  const sum = weights.positive + weights.neutral + weights.negative
  const label = labels.reduce((best, each) => (weights[each] > weights[best] ? each : best))
  return { label, score: round((weights.positive - weights.negative) / sum), confidence: round(weights[label] / sum) }
}

function byWords({ score, agreement, speaks }: LexicalSentiment): SentimentPrediction {
  const label = score >= neutralBelow ? 'positive' : score <= -neutralBelow ? 'negative' : 'neutral'
  const confidence = Math.min(1, 0.4 + 0.3 * agreement + 0.3 * Math.abs(score))
  return { label, score: round(score), confidence: round(label !== 'neutral' ? confidence : speaks ? 1 - agreement / 2 : 0.4) }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
