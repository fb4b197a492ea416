import { tooLong, tooMany, type Violation } from '../validation/violation.ts'
import { isStopWord, wordsOf } from './words.ts'

/** Words and phrases that a text must all contain, folded as in the search index. */
export interface TextQuery {
  /** distinct words outside phrases, in alphabetical order, without stop words */
  readonly words: readonly string[]
  /** neighbouring words in their order, stop words included */
  readonly phrases: readonly (readonly string[])[]
}

const maxQueryLength = 500
const maxWords = 32
const quotationMarks = /[“”„‟«»＂]/g

/** Reads words, and phrases in quotation marks. @param path - of the argument, for the violation */
export function readTextQuery(q: string, path: readonly string[] = ['q']): TextQuery | Violation {
  if (q.length > maxQueryLength) return { ...tooLong(path, maxQueryLength), message: `should have at most ${maxQueryLength} characters` }
  const parts = q.replace(quotationMarks, '"').split('"')
  if (parts.length % 2 === 0)
    return { code: 'unpaired_quotation_mark', path, message: 'a quotation mark is missing: put a phrase between two of them' }
  const listed = parts.map((part) => wordsOf(part).filter((word) => word !== ''))
  const quoted = listed.filter((_, index) => index % 2 === 1)
  const phrases = new Map(quoted.filter(({ length }) => length > 1).map((phrase) => [phrase.join(' '), phrase]))
  const single = [...listed.filter((_, index) => index % 2 === 0), ...quoted.filter(({ length }) => length === 1)].flat()
  const words = [...new Set(single)].filter((word) => !isStopWord(word)).toSorted()
  const all = [...words, ...[...phrases.values()].flat()]
  if (all.every(isStopWord)) return { code: 'only_stop_words', path, message: 'should have a word that is not a stop word such as "the"' }
  return all.length > maxWords
    ? { ...tooMany(path, maxWords, all.length), message: `should have at most ${maxWords} words` }
    : { words, phrases: [...phrases.values()] }
}

export const isTextViolation = (read: TextQuery | Violation): read is Violation => 'code' in read

/** Formats a query in its normal form: equal texts select the same expressions. */
export const textOfQuery = ({ words, phrases }: TextQuery): string =>
  [...words, ...phrases.map((phrase) => `"${phrase.join(' ')}"`)].join(' ')

/** the text that was folded most recently: one event is compared with the queries of many clients */
let recent = { text: '', folded: ' ' }

/** Returns whether a text contains all words and phrases. */
export function containsText({ words, phrases }: TextQuery, text: string): boolean {
  if (recent.text !== text)
    recent = {
      text,
      folded: ` ${wordsOf(text)
        .filter((word) => word !== '')
        .join(' ')} `,
    }
  const { folded } = recent
  return words.every((word) => folded.includes(` ${word} `)) && phrases.every((phrase) => folded.includes(` ${phrase.join(' ')} `))
}
