import { normalForm } from './normal-form.ts'

/** Folds to lower case without accents and vowel marks. @param form - NFKD also decomposes ligatures, full-width and circled letters */
export const foldLetters = (text: string, form: 'NFD' | 'NFKD' = 'NFD'): string =>
  normalForm(text, form).replace(/\p{M}/gu, '').toLowerCase()

/** Limit of a folded text: a compatibility form may be 18 times as long as its character (`ﷺ`). */
const maxFoldedLength = 30_000

/** Folds a text for word extraction, at most 30,000 characters: folds letters, unifies variants of alef, ya and ta marbuta, removes tatweel. */
export function fold(text: string): string {
  return foldLetters(text, 'NFKD')
    .slice(0, maxFoldedLength)
    .replace(/\u0640/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
}

/** Folds a name for lookup: folds letters and replaces other characters by spaces; Arabic letters stay unchanged. */
export function foldName(name: string): string {
  return foldLetters(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
