import { readData } from '../../../foundation/files/data-file.ts'
import { ExampleSentences, inEachLanguage } from './example-sentences.ts'

const Examples = inEachLanguage(ExampleSentences)

/** Sentences that train the sentiment only. */
export const sentimentExamples = [
  // sentences whose sentiment is in their form rather than their topic
  readData('subgraphs/classification/data/sentiment/examples.json', Examples),
  // complaints, thanks and plain requests in posts, letters and forms
  readData('subgraphs/classification/data/sentiment/posts-letters-and-forms.json', Examples),
]
