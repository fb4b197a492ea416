import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import { foldLetters } from '../text/fold.ts'

const Words = z.array(z.string().refine((word) => word !== '' && foldLetters(word) === word, 'is not folded: no accents or capitals'))
const PlaceWords = z.strictObject({
  /** names of places that are everyday words as well */
  everyday: z.record(z.string(), Words),
  /** what stands before the name of a place */
  announcing: z.record(z.string(), Words),
  /** the same in Arabic, as it is written */
  announcingArabic: z.array(z.string().regex(/^\p{Script=Arabic}+$/u)),
})

const { everyday, announcing, announcingArabic } = readData('engines/geocoder/place-words.json', PlaceWords)

/** Places that are also everyday words, folded: a text that has one seldom means the place. */
export const everydayWords: ReadonlySet<string> = new Set(Object.values(everyday).flat())

/** Words that announce a place, folded. */
export const announcingWords: ReadonlySet<string> = new Set(Object.values(announcing).flat())

/** The name that follows such a word in Arabic, where neither has capitals, is its first group; global. */
export const announcedInArabic = new RegExp(
  `(?:^|[\\s،.])(?:${announcingArabic.join('|')})\\s+([\\p{Script=Arabic}]{3,}(?:\\s+ال[\\p{Script=Arabic}]{3,})?)`,
  'gu',
)
