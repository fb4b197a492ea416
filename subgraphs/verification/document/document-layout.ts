import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { countryCode } from './countries.ts'
import { type Family, families } from './document-titles.ts'

/** What a kind of document has on which side. */
export interface DocumentLayout {
  /** where the machine-readable zone of a valid document may stand; none: some valid ones have no zone */
  readonly zone: readonly ('front' | 'back' | 'none')[]
  readonly back: 'needed' | 'none'
  /** who says so */
  readonly source: string
}

/** In this order: the first that fits counts, and for each family one without countries ends the list. */
const layouts = readData(
  'subgraphs/verification/document/data/document-layouts.json',
  z.array(
    z.strictObject({
      families: z.array(z.enum(families)).min(1),
      countries: z.array(z.string().regex(/^[A-Z]{3}$/, 'must be three letters')).optional(),
      /** the first day on which it is so */
      from: z.iso.date().optional(),
      zone: z.array(z.enum(['front', 'back', 'none'])).min(1),
      back: z.enum(['needed', 'none']),
      source: z.string().min(1),
    }),
  ),
)

/**
 * What a document must have, by the standard and its issuer's own law.
 * @param country - as the caller wrote it; one that is not known has what the standard says   @param now - milliseconds since the epoch
 */
export function layoutOf(family: Family, country: string, now: number): DocumentLayout {
  const code = countryCode(country)
  const found = layouts.find(
    ({ families: these, countries, from }) =>
      these.includes(family) &&
      (countries === undefined || (code !== undefined && countries.includes(code))) &&
      (from === undefined || Date.parse(from) <= now),
  )
  if (found === undefined) throw new RangeError(`no layout for ${family}`)
  return found
}
