import { getCountrySpecifications } from 'ibantools'
import { digitsOf, gap, matchesOf, type Rule } from './rule.ts'

const shape = new RegExp(`(?:(?<![A-Z0-9])|(?<=IBAN))[A-Z]${gap}?[A-Z]${gap}?\\d${gap}?\\d(?:${gap}?[A-Z0-9]){11,30}(?![A-Z0-9])`, 'gi')

export const iban: Rule = { type: 'iban', find: (text) => matchesOf(text, shape, ibanAtStart) }

const countries = getCountrySpecifications()

/**
 * Verifies the length, which each country fixes, and the check digits: rearranged and read as a number, an IBAN is 1 modulo 97 (ISO 13616). The check
 * digits alone fit one text of 97, such as "le 77 123 45 67" with some words.
 */
function isIban(candidate: string): boolean {
  const iban = candidate.replace(/[^A-Z0-9]/gi, '').toUpperCase()
  if (iban.length !== countries[iban.slice(0, 2)]?.chars || digitsOf(iban).length < 10) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Returns the length of the IBAN at the start: words that follow may look like a part of it. */
function ibanAtStart(candidate: string): number {
  const ends = [...candidate.matchAll(/[A-Z0-9](?![A-Z0-9])/gi)].map(({ index }) => index + 1)
  return ends.findLast((end) => isIban(candidate.slice(0, end))) ?? 0
}
