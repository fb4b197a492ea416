import { type DigitGroup, type DigitWindow, windowsIn } from './digit-groups.ts'
import { redactionWords } from './redaction-words.ts'
import { contextLength, type Rule } from './rule.ts'

/** Digit groups that are not telephone numbers: dates and times, years, file numbers with a year, counts in thousands. */
const countsAndDates = [
  /^(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}(?:\D|$)/,
  /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/,
  /^(?:19|20)\d{2}(?:[ /-](?:19|20)\d{2}){1,6}$/,
  /^(?:19|20)\d{2}[-/]\d{4}$/,
  /^\d{1,2}(?:[ .]\d{3}){2,6}$/,
  /^\d{1,3}(?:[ .]\d{3}){0,6}[ .]000$/,
]
/** A date with its year among other numbers. */
const day =
  /(?:^|\D)(?:(?:0?[1-9]|[12]\d|3[01])([-/. ])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}|(?:19|20)\d{2}([-/.])(?:0?[1-9]|1[0-2])\2\d{1,2})(?:\D|$)/

const { phone: words, otherNumbers } = redactionWords
/** Words before numbers of books and periodicals. */
const publication = new RegExp(
  `(?<!\\p{L})(?:${otherNumbers.publications})(?:-1[03])?[\\s:#n°º.-]{0,4}[\\d -]{0,8}$|(?<!\\d)97[89][ -](?:\\d[ -]?)?$`,
  'iu',
)
/** Words before numbers of laws. */
const law = new RegExp(`(?<!\\p{L})(?:${otherNumbers.laws})[ :]{0,2}(?:${otherNumbers.numberSigns})?[ :]{0,2}$`, 'iu')
const announcing = new RegExp(
  `(?<!\\p{L})(?:${words.announcingAnyForm})[^\\p{L}\\d\\n]{0,4}(?:(?:est|is|le|au|on|at|هو|رقم)[^\\p{L}\\d]{1,3})?\\n?$`,
  'iu',
)
const amountBefore = new RegExp(
  `(?<!\\p{L})(?:${otherNumbers.countsBefore})(?:[^\\p{L}\\d]{1,3}(?:est|de|of|is|à|:|du|d’)){0,2}[^\\p{L}\\d]{0,3}$`,
  'iu',
)
const countAfter = new RegExp(`^ ?(?:%|(?:de |d['’])?(?:${words.currencies}|${otherNumbers.units})(?![\\p{L}\\p{N}]))`, 'iu')
const dateAfter = new RegExp(`^ (?:${otherNumbers.months})(?!\\p{L})`, 'iu')
const prefix = /(?:\+ ?\(?|\(\+?|\()$/

/** Returns whether a gap has one common divider and at most a bracket; other gaps occur in numbers that are recognised otherwise. */
const isTight = (gap: string): boolean => /^[)]?[ ./-]?[(]?$/.test(gap)

/** Returns whether all gaps are equal and have no comma, colon or line break. */
const isEven = (divided: readonly DigitGroup[]): boolean =>
  divided.every(({ gap }) => gap === divided[0]?.gap) && /^[ ./·_~-]$/.test(divided[0]?.mark ?? ' ')

/** Another mark than before, once a number is long enough to be whole: 77 123 45 67 / 70 … The code of a country may have a mark of its own. */
const joinsTwo = (divided: readonly DigitGroup[]): boolean => divided.slice(2).some(({ mark }) => mark !== divided[1]?.mark)

/** Returns whether numbers count up by a constant step, by one or all of them round: 1 2 3, 10 20 30. */
function isCounting(numbers: readonly number[]): boolean {
  const [first = 0, second = 0] = numbers
  const step = second - first
  const isStep = step === 1 || (step > 0 && numbers.every((each) => each % 5 === 0))
  return numbers.length > 1 && isStep && numbers.every((each, at) => each === first + at * step)
}

interface Surroundings {
  readonly before: string
  readonly after: string
  /** the groups before and after are divided differently from its own groups */
  readonly isWhole: boolean
}

function isPhone(groups: readonly DigitGroup[], surroundings: Surroundings): boolean {
  const { before, after } = surroundings
  return looksLikePhone(groups, surroundings) && !countAfter.test(after) && !dateAfter.test(after) && !publication.test(before)
}

function looksLikePhone(groups: readonly DigitGroup[], { before, after, isWhole }: Surroundings): boolean {
  // most windows start inside a run and are not recognisable alone
  const opening = groups[0]?.digits ?? ''
  if (!isWhole && groups[0]?.gap !== '' && !opening.startsWith('0') && !/[+(]$/.test(before)) return false
  const digits = groups.map((each) => each.digits).join('')
  const lengths = groups.map((each) => each.digits.length)
  const divided = groups.slice(1)
  const gaps = divided.map(({ gap }) => gap)
  const shown = groups.map((each, at) => (at === 0 ? '' : each.mark) + each.digits).join('')
  const isList = isCounting(groups.map((each) => Number(each.digits)))
  const hasColons = gaps.some((gap) => gap.includes(':')) && !gaps.every((gap) => gap === gaps[0])
  if (day.test(shown) || hasColons || amountBefore.test(before)) return false
  const isInternational = /\+ ?\(?$|\(\+$/.test(before) || digits.startsWith('00')
  if (isInternational) {
    const isCount = /^\d{1,3}(?: \d{3}){1,4}$/.test(shown) && /^\d{1,3}(?: 000)+$/.test(shown)
    return !isCount && digits.length >= 8 && digits.length <= 15 && /^(?:00)?[1-9]/.test(digits)
  }
  // 06 12 34 56 78 in any division, without an announcing word
  const isNational =
    /^0[1-9]\d{8}$/.test(digits) &&
    !(groups.length > 4 && groups.every((each) => each.digits.startsWith('0'))) &&
    !isList &&
    !(gaps.some((gap) => gap.includes(',')) && lengths.some((length) => length !== 2)) &&
    !(groups.length > 2 && lengths.some((length) => length > 4)) &&
    (isWhole || !/^[.,]\d/.test(after))
  if (isNational && gaps.length > 0) return true
  // inside a run, digits precede it
  const isAnnounced = groups[0]?.gap === '' && announcing.test(before.replace(/[+(]{1,2}$/, ''))
  const isOne = digits.length <= 9 || !joinsTwo(divided)
  if (isAnnounced && isOne && digits.length >= 8 && digits.length <= 13 && !countsAndDates.slice(0, 4).some((shape) => shape.test(shown)))
    return true
  if (isNational) return true
  if (!isWhole || isList || groups.some(({ hasLetters }) => hasLetters) || law.test(before)) return false
  if (!gaps.every(isTight) && !isEven(divided)) return false
  if (groups.length > 7 || (lengths[0] ?? 0) > 12 || lengths.slice(1).some((length) => length < 2)) return false
  return digits.length >= 8 && digits.length <= 12 && !countsAndDates.some((shape) => shape.test(shown))
}

const digitCounts = [8, 15] as const

export const phone: Rule = {
  type: 'phone',
  *find(text) {
    const accepts = ({ groups: [first, ...others], next, from, to }: DigitWindow): boolean => {
      if (first === undefined) return false
      const before = text.slice(Math.max(0, from - contextLength), from)
      const isWhole = !/\d[.,:]$/.test(before) && !(isTight(first.gap) && first.gap !== '') && !(next && isTight(next.gap))
      return isPhone([first, ...others], { before, after: text.slice(to, to + contextLength), isWhole })
    }
    for (const { from, to } of windowsIn(text, digitCounts, accepts)) {
      const opening = prefix.exec(text.slice(Math.max(0, from - contextLength), from))?.[0] ?? ''
      yield { from: from - opening.length, to }
    }
  },
}
