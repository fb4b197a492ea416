import { redactionWords } from './redaction-words.ts'
import { digitsOf, type Rule, wholeWhen } from './rule.ts'

/** What looks like a telephone number and is none: dates, also with a time; years; file numbers of a year; counts in thousands. */
const countsAndDates = [
  /^(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}(?:\D|$)/,
  /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/,
  /^(?:19|20)\d{2}(?:[ /-](?:19|20)\d{2})+$/,
  /^(?:19|20)\d{2}[-/]\d{4}$/,
  /^\d{1,2}(?:[ .]\d{3}){2,}$/,
  /^\d{1,3}(?:[ .]\d{3})*[ .]000$/,
]

const { phone: words, numbersThatAreNone } = redactionWords
/** Books and periodicals: what stands before numbers of theirs. */
const publication = new RegExp(
  `(?<!\\p{L})(?:${numbersThatAreNone.publications})(?:-1[03])?[\\s:#n°º.-]{0,4}[\\d -]{0,8}$|(?<!\\d)97[89][ -](?:\\d[ -]?)?$`,
  'iu',
)
/** The same of laws. */
const law = new RegExp(`(?<!\\p{L})(?:${numbersThatAreNone.laws})[ :]{0,2}(?:${numbersThatAreNone.numberSigns})?[ :]{0,2}$`, 'iu')

/** Digits with single separators. @param before - what stands before them */
function isPhone(candidate: string, before: string): boolean {
  const digits = digitsOf(candidate)
  if (publication.test(before)) return false
  // such as 06 12 34 56 78, whatever is said before
  const isPlain = /^(?:\+|00|0[1-9](?:[ .-]?\d\d){4}$)/.test(candidate.trim())
  if (!isPlain && law.test(before)) return false
  if (countsAndDates.some((shape) => shape.test(candidate.trim()))) return false
  const international = /^\s*(\+|00)/.test(candidate)
  return international ? digits.length >= 8 && digits.length <= 15 : digits.length >= 8 && digits.length <= 12
}

export const phone: Rule = {
  type: 'phone',
  pattern: new RegExp(
    `(?:(?<![\\p{L}\\p{N}]|\\d[.,:])|(?<=(?<!\\p{L})(?:${words.announcing})))(?:${[
      '(?:\\+|00)?\\(?\\d{1,4}\\)?(?:[ .\\-/]?\\(?\\d{2,4}\\)?){2,6}',
      // digit by digit, or with other marks between
      '0[ ._/·-]?[1-9](?:[ ._/·-]?\\d){8}',
      '\\+(?:[ ._/·-]?\\d){8,15}',
    ].join('|')})(?![\\p{L}\\p{N}]|[ ]?(?:%|${words.currencies}))`,
    'giu',
  ),
  reach: wholeWhen(isPhone),
}
