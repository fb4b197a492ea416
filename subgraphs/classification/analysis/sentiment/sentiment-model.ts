import { type LabelledText, type TextClassifier, trainTextClassifier } from '../../../../engines/text-classifier/text-classifier.ts'
import { sentimentExamples } from '../../data/sentiment-examples.ts'
import { shippedTaxonomy } from '../../data/shipped-taxonomy.ts'

const labels = ['negative', 'neutral', 'positive'] as const
const languages = ['fr', 'en', 'ar'] as const
/** Languages that the examples are written in. */
export const learntLanguages: ReadonlySet<string> = new Set(languages)

/** most of our examples are complaints, as most of what citizens write; the others count more, so that each sentiment is told equally well */
const weightOf = { negative: 1, neutral: 2, positive: 1.6 }

function trainingTexts(): readonly LabelledText[] {
  const examples = [...sentimentExamples, ...shippedTaxonomy.flatMap(({ subDomains }) => subDomains.map(({ examples }) => examples))]
  return examples.flatMap((each) =>
    languages.flatMap((lang) => labels.flatMap((label) => each[lang][label].map((text) => ({ text, label, weight: weightOf[label] })))),
  )
}

/** What tells the sentiment of sentences; learnt once, at first use. */
export type SentimentModel = () => Promise<TextClassifier>

/** Learns from our own examples: the shipped taxonomy's, whatever taxonomy the platform has, and those made for it. */
export function sentimentModel(executionProviders: readonly string[]): SentimentModel {
  let learnt: Promise<TextClassifier> | undefined
  return () => {
    learnt ??= trainTextClassifier(trainingTexts(), 'sentiment', executionProviders).catch((error: unknown) => {
      learnt = undefined
      throw error
    })
    return learnt
  }
}
