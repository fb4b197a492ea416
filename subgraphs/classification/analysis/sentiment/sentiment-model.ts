import { type LabelledText, type TextClassifier, trainTextClassifier } from '../../../../engines/text-classifier/text-classifier.ts'
import { readData } from '../../../../foundation/files/data-file.ts'
import { ExampleSentences, inEachLanguage } from '../../data/example-sentences.ts'
import { shippedTaxonomy } from '../../data/shipped-taxonomy.ts'

const Examples = inEachLanguage(ExampleSentences)

/** Sentences that train the sentiment only. */
export const sentimentExamples = [
  // sentences whose sentiment is in their form rather than their topic
  readData('subgraphs/classification/data/sentiment/examples.json', Examples),
  // complaints, thanks and plain requests in posts, letters and forms
  readData('subgraphs/classification/data/sentiment/posts-letters-and-forms.json', Examples),
]

const labels = ['negative', 'neutral', 'positive'] as const
const languages = ['fr', 'en', 'ar'] as const
/** Languages of the examples. */
export const trainedLanguages: ReadonlySet<string> = new Set(languages)

/** most of the examples are complaints, as in real texts; the other classes weigh more, so that accuracy is balanced */
const weightOf = { negative: 1, neutral: 2, positive: 1.6 }

function trainingTexts(): readonly LabelledText[] {
  const examples = [...sentimentExamples, ...shippedTaxonomy.flatMap(({ subDomains }) => subDomains.map(({ examples }) => examples))]
  return examples.flatMap((each) =>
    languages.flatMap((lang) => labels.flatMap((label) => each[lang][label].map((text) => ({ text, label, weight: weightOf[label] })))),
  )
}

/** A sentence classifier for sentiment; trained once, at first use. */
export type SentimentModel = () => Promise<TextClassifier>

/** Trains on the shipped taxonomy's examples, regardless of the platform's taxonomy, and on sentences written for it. */
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
