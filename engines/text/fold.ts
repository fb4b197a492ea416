/**
 * Lower case, without accents or vowel signs.
 * @param form - NFKD also takes apart what only looks like several letters: ligatures, letters of full width, letters in circles
 */
export const foldLetters = (text: string, form: 'NFD' | 'NFKD' = 'NFD'): string => text.normalize(form).replace(/\p{M}/gu, '').toLowerCase()

/** A compatibility form may be 18 times as long as its sign (`ﷺ`): no step reads more than this. */
const longestFolded = 30_000

/** A text as words are read from it, at most 30,000 characters: letters folded; the shapes of alef, ya and ta marbuta that writers mix up are one, tatweel is left out. */
export function fold(text: string): string {
  return foldLetters(text, 'NFKD')
    .slice(0, longestFolded)
    .replace(/\u0640/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
}

/** A name as it is looked up: letters folded, a space for any other marks; Arabic letters stay as they are written. */
export function foldName(name: string): string {
  return foldLetters(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
