import { redactionWords } from './redaction-words.ts'
import type { Rule } from './rule.ts'

/** France: sex, year, month, department, commune, order, key. */
export const frenchNationalId: Rule = {
  type: 'national_id',
  pattern: /\b[12][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}(?:[ .-]?\d{2})?\b/gi,
}

/** Others: a long number that is announced as one. */
export const announcedNationalId: Rule = {
  type: 'national_id',
  pattern: new RegExp(
    `(?<=(?<!\\p{L})(?:${redactionWords.nationalId.announcing})(?!\\p{L})[^\\n\\d]{0,15}?)(?<![A-Z0-9])(?:[A-Z]{1,3}[ -]?)?\\d(?:[ -]?[A-Z]{0,2}[ -]?\\d){4,18}(?: ?[A-Z])?(?![\\p{L}\\p{N}])`,
    'giu',
  ),
}
