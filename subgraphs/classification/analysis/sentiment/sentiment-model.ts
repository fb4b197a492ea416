import { type LabelledText, type TextClassifier, trainTextClassifier } from '../../../engines/text-classifier/text-classifier.ts'
import { shippedTaxonomy } from '../../taxonomy/shipped-taxonomy.ts'
import { registerExamples } from './register-examples.ts'
import { toneExamples } from './sentiment-examples.ts'

const tones = ['negative', 'neutral', 'positive'] as const
const languages = ['fr', 'en', 'ar'] as const
/** Languages that the examples are written in. */
export const toneLanguages: ReadonlySet<string> = new Set(languages)

/** most of our examples are complaints, as most of what citizens write; the others count more, so that each tone is told equally well */
const weightOf = { negative: 1, neutral: 2, positive: 1.6 }

function trainingTexts(): readonly LabelledText[] {
  const voices = [
    toneExamples,
    registerExamples,
    ...shippedTaxonomy.flatMap(({ subDomains }) => subDomains.map(({ examples }) => examples)),
  ]
  return voices.flatMap((each) =>
    languages.flatMap((lang) => tones.flatMap((tone) => each[lang][tone].map((text) => ({ text, label: tone, weight: weightOf[tone] })))),
  )
}

/** What tells the tone of sentences; learnt once, at first use. */
export type ToneModel = () => Promise<TextClassifier>

/** Learns from our own examples: the shipped taxonomy's, whatever taxonomy the platform has, and those made for it. */
export function toneModel(executionProviders: readonly string[]): ToneModel {
  let learnt: Promise<TextClassifier> | undefined
  return () => {
    learnt ??= trainTextClassifier(trainingTexts(), 'sentiment', executionProviders).catch((error: unknown) => {
      learnt = undefined
      throw error
    })
    return learnt
  }
}
