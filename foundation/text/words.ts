import { z } from 'zod'
import { readData } from '../files/data-file.ts'
import { fold } from './fold.ts'

const Word = z.string().refine((word) => word !== '' && fold(word) === word, 'must be folded: no accents, capitals or hamza')
/** by language, but applied to texts of every language */
const stopWords = new Set(Object.values(readData('foundation/text/stop-words.json', z.record(z.string(), z.array(Word)))).flat())

/** Whether a folded word carries no topic by itself. */
export const isStopWord = (word: string): boolean => stopWords.has(word)

/** Arabic articles and conjunctions written together with a word; longest first. */
const clitics = /^(?:وبال|وال|فال|بال|كال|ولل|لل|ال|و(?=\p{L}{4}))/u

/** @param word - folded */
export const withoutClitics = (word: string): string => word.replace(clitics, '')

/** Returns the folded words of a text, Arabic ones without clitics. */
export function wordsOf(text: string): readonly string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(withoutClitics)
}
