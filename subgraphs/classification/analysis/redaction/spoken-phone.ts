import { redactionWords } from './redaction-words.ts'
import { matchesOf, type Rule } from './rule.ts'

const { zero, arabicDigits, digits, teens, tens } = redactionWords.numbers
/** in Arabic digit by digit only */
const units = `${zero}|${arabicDigits}|${digits}`
/** a word, or a group of digits among words */
const numberWord = `(?:${units}|${teens}|${tens}|cents?|double|triple|\\d{1,4})`
const between = '(?:[ ,.-]|, | - | et )'

const isOne = (kind: string): ((each: string) => boolean) => {
  const pattern = new RegExp(`^(?:${kind})$`, 'iu')
  return (each) => pattern.test(each)
}
const [isZero, isUnit, isTeen, isTen] = [isOne(zero), isOne(units), isOne(teens), isOne(tens)]

/** Returns whether the words have as many digits as a telephone number; "soixante-dix-huit" counts two, as does "double seven". */
function isSpokenPhone(candidate: string): boolean {
  let digits = 0
  /** what can follow in the current number: a unit after tens, anything below a hundred after "cent" */
  let room: 'none' | 'unit' | 'teen' | 'hundred' = 'none'
  let times = 1
  for (const each of candidate.toLowerCase().split(/[ ,.-]+/)) {
    if (each === 'double' || each === 'triple') times = each === 'double' ? 2 : 3
    else if (/^cents?$/.test(each)) {
      digits += room === 'none' ? 2 : 3
      room = 'hundred'
    } else if (isTen(each)) {
      // quatre-vingts
      const isOfFour = /^vingts?$/.test(each) && candidate.toLowerCase().includes('quatre-vingt')
      if (room !== 'hundred') digits += isOfFour ? 1 : 2
      room = each === 'soixante' || isOfFour ? 'teen' : 'unit'
    } else if (isTeen(each)) {
      if (room !== 'teen' && room !== 'hundred') digits += 2
      // dix-sept
      room = each === 'dix' ? 'unit' : 'none'
    } else if (/^\d/.test(each)) {
      digits += each.length
      room = 'none'
    } else if (isUnit(each)) {
      if (room === 'none' || isZero(each)) digits += times
      room = 'none'
      times = 1
    }
  }
  return digits >= 8 && digits <= 15
}

const shape = new RegExp(
  `(?:(?<![\\p{L}\\p{N}-])(?=(?:plus|z[ée]ro|oh|صفر|0\\d?)[ ,-])|(?<=(?<!\\p{L})(?:${redactionWords.phone.announcingSpoken})(?: (?:est|is|c[’']est))?(?: (?:le|au|on|at|the|à))?[ :,]{1,3}(?:le )?))(?:plus )?${numberWord}(?:${between}${numberWord}){4,20}(?![\\p{L}\\p{N}])`,
  'giu',
)

/** A sequence of number words that starts like a telephone number or is announced as one. */
export const spokenPhone: Rule = {
  type: 'phone',
  find: (text) => matchesOf(text, shape, (candidate) => (/\p{L}/u.test(candidate) && isSpokenPhone(candidate) ? candidate.length : 0)),
}
