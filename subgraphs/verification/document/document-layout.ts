import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { countryCode } from './countries.ts'
import { type Family, families } from './document-titles.ts'

/** Positions of the parts of a kind of document. */
export interface DocumentLayout {
  /** sides on which a valid document may have its machine-readable zone; none: some have no zone */
  readonly zone: readonly ('front' | 'back' | 'none')[]
  readonly back: 'needed' | 'none'
  /** source of the rule */
  readonly source: string
}

/** Layouts in order of precedence; each family ends with one without countries. */
const layouts = readData(
  'subgraphs/verification/document/data/document-layouts.json',
  z.array(
    z.strictObject({
      families: z.array(z.enum(families)).min(1),
      countries: z.array(z.string().regex(/^[A-Z]{3}$/, 'must be three letters')).optional(),
      /** first date of validity */
      from: z.iso.date().optional(),
      zone: z.array(z.enum(['front', 'back', 'none'])).min(1),
      back: z.enum(['needed', 'none']),
      source: z.string().min(1),
    }),
  ),
)

/**
 * Returns the layout of a document by the standard and its issuer's law.
 * @param country - as submitted; the standard applies to an unknown one  @param now - milliseconds since the epoch
 */
export function layoutOf(family: Family, country: string, now: number): DocumentLayout {
  const code = countryCode(country)
  const layout = layouts.find(
    ({ families: these, countries, from }) =>
      these.includes(family) &&
      (countries === undefined || (code !== undefined && countries.includes(code))) &&
      (from === undefined || Date.parse(from) <= now),
  )
  if (layout === undefined) throw new RangeError(`document-layouts.json has no layout for ${family} that applies to every country`)
  return layout
}
