import { fold } from '../../foundation/text/fold.ts'
import { isStopWord, withoutClitics, wordsOf } from '../../foundation/text/words.ts'
import { HashCounts } from './hash-counts.ts'

/** Computes FNV-1a, 32 bits, signed. @param from - hash of the preceding text */
function hashOn(from: number, text: string): number {
  let hash = from
  for (let index = 0; index < text.length; index++) hash = hashOnward(hash, text.charCodeAt(index))
  return hash
}
const hashOnward = (from: number, unit: number): number => Math.imul(from ^ unit, 16_777_619)
const nothingHashed = 2_166_136_261 | 0
const [ofWord, ofPair, ofFirst] = [hashOn(nothingHashed, 'w:'), hashOn(nothingHashed, 'p:'), hashOn(nothingHashed, 'first:')]

const wordWeight = 2
/** maximum number of words used for features */
const maxWords = 400
const maxWordLength = 30
const [minPieceLength, maxPieceLength] = [3, 5]

/** Returns the features for topics: words, pairs of neighbours, and pieces of 3 to 5 letters of each word, as hashes with counts. */
export function topicGramsOf(text: string): HashCounts {
  const grams = new HashCounts()
  let previous: string | undefined
  for (const word of wordsOf(text).slice(0, maxWords)) {
    if (isStopWord(word)) continue
    grams.add(hashOn(ofWord, word), wordWeight)
    if (previous !== undefined) grams.add(hashOn(ofPair, `${previous} ${word}`), 1)
    previous = word
    addPieces(grams, word, 0.5)
  }
  return grams
}

/** Returns the features for sentiment: also stop words, first and neighbouring words, punctuation, and whether there are numbers. */
export function sentimentGramsOf(text: string): HashCounts {
  const grams = new HashCounts()
  const words = (fold(text).match(/\p{L}+|\p{N}+|[?؟!]/gu) ?? []).slice(0, maxWords).map(inSentence)
  let previous = '^'
  for (const word of words) {
    if (previous === '^') grams.add(hashOn(ofFirst, word), 1)
    grams.add(hashOn(ofWord, word), wordWeight)
    grams.add(hashOn(ofPair, `${previous} ${word}`), 1)
    previous = word
    if (word.length > 2) addPieces(grams, word, 0.6)
  }
  return grams
}

function inSentence(word: string): string {
  if (/\p{N}/u.test(word)) return '#'
  return word === '؟' ? '?' : withoutClitics(word)
}

/** Adds the pieces of 3 to 5 letters of a word with its boundaries; a longer piece extends the hash of a shorter one. */
function addPieces(grams: HashCounts, word: string, weight: number): void {
  const bounded = `^${word.slice(0, maxWordLength)}$`
  for (let start = 0; start + minPieceLength <= bounded.length; start++) {
    let hash = nothingHashed
    for (let length = 1; length <= maxPieceLength && start + length <= bounded.length; length++) {
      hash = hashOnward(hash, bounded.charCodeAt(start + length - 1))
      if (length >= minPieceLength) grams.add(hash, weight)
    }
  }
}

/** Feature functions by classification task. */
export const gramsBy = { topic: topicGramsOf, sentiment: sentimentGramsOf } as const
export type GramKind = keyof typeof gramsBy
