/** Characters that readers of print mistake for one another. */
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

/** Pairs of a letter and a digit: nobody forges a number by writing O for 0. */
const classOnly: readonly string[] = ['0O', '0Q', '0D', '1I', '1L', '1T', '2Z', '5S', '8B', '6G', '4A', '7T']

/** Whether two characters are a letter and a digit that readers take for one another. */
export const isClassSlip = (a: string, b: string): boolean => a !== b && classOnly.some((pair) => pair.includes(a) && pair.includes(b))

export const areAlike = (a: string, b: string): boolean => a === b || alike.some((set) => set.includes(a) && set.includes(b))

/** How many characters of two texts agree or look alike. */
export const lookAlikes = (text: string, other: string): number =>
  [...text].filter((character, at) => areAlike(character, other.charAt(at))).length

/** The letters that are taken for a digit, or the digits that are for a letter. */
export const classPartners = (character: string): string[] =>
  classOnly.filter((pair) => pair.includes(character)).map((pair) => pair.replace(character, ''))

/** The likeliest of them. */
export const classPartner = (character: string): string | undefined => classPartners(character)[0]

/** The digits that are taken for this one. */
export const digitsLike = (character: string): string[] =>
  /\d/.test(character) ? lookAlikesOf(character).filter((other) => /\d/.test(other)) : []

/** What a reader may have seen in its place. */
export const lookAlikesOf = (character: string): string[] => [
  ...new Set(alike.filter((set) => set.includes(character)).flatMap((set) => [...set].filter((other) => other !== character))),
]
