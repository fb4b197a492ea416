import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { editDistance } from './name-matching.ts'
import { bareArabic, isArabic } from './transliteration.ts'
import type { VisualZone } from './visual-zone.ts'

export const families = ['passport', 'residence', 'identity'] as const
/** CNI and NATIONAL_ID are the same kind. */
export type Family = (typeof families)[number]

/** Printed titles without blanks. */
const titles = readData(
  'subgraphs/verification/document/data/document-titles.json',
  z.record(
    z.enum(families),
    z.array(
      z
        .string()
        .regex(/^(?:[A-Z]+|[\u0621-\u064a]+)$/, 'must be capital or Arabic letters without blanks')
        .transform((title) => (isArabic(title) ? bareArabic(title) : title)),
    ),
  ),
)

/** Returns the families whose title is printed; one letter in nine may be misread. */
export function printedFamilies({ lines, arabic = [] }: Pick<VisualZone, 'lines' | 'arabic'>): Family[] {
  const texts = [...lines, ...arabic.map(bareArabic)].map((line) => line.replace(/ /g, ''))
  const holds = (title: string): boolean => {
    const slips = Math.floor(title.length / 9)
    return texts.some((text) => {
      if (text.includes(title)) return true
      for (let from = 0; slips > 0 && from + title.length <= text.length; from++) {
        if (editDistance(text.slice(from, from + title.length), title) <= slips) return true
      }
      return false
    })
  }
  return families.filter((family) => titles[family].some(holds))
}
