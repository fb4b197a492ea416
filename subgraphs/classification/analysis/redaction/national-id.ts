import { redactionWords } from './redaction-words.ts'
import { digitsOf, gap, matchesOf, type Rule } from './rule.ts'

const french = new RegExp(
  `(?<![\\p{L}\\p{N}])[12]${gap}?\\d{2}${gap}?(?:0[1-9]|1[0-2]|[2-9]\\d)${gap}?(?:\\d{2}|2[AB])${gap}?\\d{3}${gap}?\\d{3}(?:${gap}?\\d{2})?(?![\\p{L}\\p{N}])`,
  'giu',
)

/** France: sex, year, month, department, commune, order, key. */
export const frenchNationalId: Rule = { type: 'national_id', find: (text) => matchesOf(text, french) }

const { nationalId: words, phone, otherNumbers } = redactionWords
const announcing = `(?<!\\p{L})[وبلف]?(?:${words.announcing})(?!\\p{L})`
// linear: every repeat is bounded; hostile-text.test.ts measures it
const announced = new RegExp(
  `(?<=${announcing}[^\\d]{0,24}?)(?<![\\p{L}\\p{N}])(?=[A-Z]{0,6}[./-]?\\d|(?!(?:${words.connecting}|à|au|en|et|is|my|of|ou|sur) )[A-Z]{1,4} \\d)[A-Z0-9](?:(?: ?[-./·_\\n] ?| )?[A-Z0-9]){4,24}(?![\\p{L}\\p{N}])`,
  'giu',
)
/** The name of the document directly before the number. */
const directly = new RegExp(`${announcing}[^\\p{L}\\d]{0,4}(?:(?:${words.connecting})[^\\p{L}\\d]{1,4}){0,3}$`, 'iu')
const countAfter = new RegExp(
  `^ ?(?:%|(?:de |d['’])?(?:${phone.currencies}|${otherNumbers.units}|${otherNumbers.months})(?![\\p{L}\\p{N}]))`,
  'iu',
)
const date = /^(?:\d{1,2}([-/. ])\d{1,2}\1(?:19|20)\d{2}|(?:19|20)\d{2}([-/.])\d{1,2}\2\d{1,2}|(?:19|20)\d{2}[-/ ](?:19|20)\d{2})(?:\D|$)/

/** Returns how much of the text after a document's name is its number: words with digits, and initials before and after them. */
function numberAtStart(candidate: string, before: string, after: string): number {
  if (date.test(candidate)) return 0
  let [length, isInside] = [0, false]
  const parts = [...candidate.matchAll(/[A-Z0-9]+/gi)]
  for (const [at, { 0: part, index }] of parts.entries()) {
    const isOpening = !isInside && /^[A-Z]{1,4}$/i.test(part)
    const isClosing = isInside && /^[A-Z]$/i.test(part) && parts.at(-1)?.index === index
    // 12 AB 34567, where lower-case letters would be words
    const isBetween = isInside && /^[A-Z]{1,3}$/.test(part) && /\d/.test(parts[at + 1]?.[0] ?? '')
    if (!/\d/.test(part) && !isOpening && !isClosing && !isBetween) break
    isInside ||= /\d/.test(part)
    length = index + part.length
  }
  const number = candidate.slice(0, length)
  const rest = candidate.slice(length) + after
  const digits = digitsOf(number).length
  if (countAfter.test(rest) || digits < (directly.test(before) ? 5 : 7)) return 0
  return length
}

/** Other numbers, recognised by the document name before them. */
export const announcedNationalId: Rule = { type: 'national_id', find: (text) => matchesOf(text, announced, numberAtStart) }
