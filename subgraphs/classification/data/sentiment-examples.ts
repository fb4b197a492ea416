import { readData } from '../../../foundation/files/data-file.ts'
import { ExampleSentences, inEachLanguage } from './example-sentences.ts'

const Examples = inEachLanguage(ExampleSentences)

/** Sentences of our own that teach the sentiment alone. */
export const sentimentExamples = [
  // their sentiment is in how they are made rather than in what they are about
  readData('subgraphs/classification/data/sentiment/examples.json', Examples),
  // how a complaint, thanks and a plain request are made in short posts, letters and forms
  readData('subgraphs/classification/data/sentiment/posts-letters-and-forms.json', Examples),
]
