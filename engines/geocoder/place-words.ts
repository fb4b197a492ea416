import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import { foldLetters } from '../../foundation/text/fold.ts'

const Words = z.array(z.string().refine((word) => word !== '' && foldLetters(word) === word, 'must be folded: no accents or capitals'))
const PlaceWords = z.strictObject({
  /** place names that are also everyday words */
  everyday: z.record(z.string(), Words),
  /** words that precede a place name */
  announcing: z.record(z.string(), Words),
  /** the same in Arabic, unfolded */
  announcingArabic: z.array(z.string().regex(/^\p{Script=Arabic}+$/u)),
})

const { everyday, announcing, announcingArabic } = readData('engines/geocoder/place-words.json', PlaceWords)

/** Place names that are also everyday words, folded: in a text they rarely mean the place. */
export const everydayWords: ReadonlySet<string> = new Set(Object.values(everyday).flat())

/** Words that precede a place name, folded. */
export const announcingWords: ReadonlySet<string> = new Set(Object.values(announcing).flat())

/** Matches an Arabic place name after an announcing word, as there are no capitals; the name is the first group. Global. */
export const announcedInArabic = new RegExp(
  `(?:^|[\\s،.])(?:${announcingArabic.join('|')})\\s+([\\p{Script=Arabic}]{3,}(?:\\s+ال[\\p{Script=Arabic}]{3,})?)`,
  'gu',
)
