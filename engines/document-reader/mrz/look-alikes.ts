/** Characters that OCR confuses with one another. */
const alike: readonly string[] = [
  '0OQD',
  '1IL',
  '2Z',
  '5S',
  '8B',
  '6G',
  '4A',
  '17',
  '1T',
  '38',
  '56',
  '08',
  '09',
  '7T',
  'UV',
  'MN',
  'CG',
  'EF',
  'PR',
  'KX',
]

/** Letter and digit pairs that look alike: O for 0 is an OCR error, not a forgery. */
const classOnly: readonly string[] = ['0O', '0Q', '0D', '1I', '1L', '1T', '2Z', '5S', '8B', '6G', '4A', '7T']

/** Whether two characters are a letter and a digit that look alike. */
export const isClassMisread = (a: string, b: string): boolean => a !== b && classOnly.some((pair) => pair.includes(a) && pair.includes(b))

export const areAlike = (a: string, b: string): boolean => a === b || alike.some((set) => set.includes(a) && set.includes(b))

/** Counts the characters of two texts that are equal or look alike. */
export const lookAlikes = (text: string, other: string): number =>
  [...text].filter((character, at) => areAlike(character, other.charAt(at))).length

/** Returns the letters that look like a digit, or the digits that look like a letter. */
export const classPartners = (character: string): string[] =>
  classOnly.filter((pair) => pair.includes(character)).map((pair) => pair.replace(character, ''))

/** Returns the most likely of them. */
export const classPartner = (character: string): string | undefined => classPartners(character)[0]

/** Returns the digits that look like this one. */
export const digitsLike = (character: string): string[] =>
  /\d/.test(character) ? lookAlikesOf(character).filter((other) => /\d/.test(other)) : []

/** Returns the characters that this one may have been misread from. */
export const lookAlikesOf = (character: string): string[] => [
  ...new Set(alike.filter((set) => set.includes(character)).flatMap((set) => [...set].filter((other) => other !== character))),
]
