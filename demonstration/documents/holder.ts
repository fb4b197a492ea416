import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import { seededRandom } from '../drawing/seeded-random.ts'

/** The fictitious holder of a document. */
export interface Holder {
  /** Seed of the face */
  readonly seed: number
  readonly firstName: string
  readonly lastName: string
  /** Dates as YYYY-MM-DD */
  readonly dateOfBirth: string
  readonly sex: 'M' | 'F'
  /** ISO 3166 alpha-3 */
  readonly nationality: string
  /** ISO 3166 alpha-3 */
  readonly issuingCountry: string
  readonly placeOfBirth: string
  readonly documentNumber: string
  readonly issued: string
  readonly expires: string
}

const Names = z.array(z.string().min(1)).min(1)

const { firstNames, origins } = readData(
  'demonstration/documents/names.json',
  z.strictObject({
    firstNames: z.strictObject({ F: Names, M: Names }),
    origins: z.array(
      z.strictObject({ country: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 3166-1 alpha-3 code'), places: Names, lastNames: Names }),
    ),
  }),
)

export interface HolderOptions extends Partial<Omit<Holder, 'seed'>> {
  /** Day on which the document is valid: issued up to nine years before, expires one to ten years after; default 2026-01-01 */
  readonly today?: string
}

/** Returns a fictitious holder, the same for the same seed; given members are kept. */
export function generateHolder(seed: number, { today = '2026-01-01', ...given }: HolderOptions = {}): Holder {
  const random = seededRandom(seed ^ 0x5eed)
  const year = Number(today.slice(0, 4))
  const day = (from: number, to: number): string => {
    const date = new Date(
      Date.UTC(Math.floor(random.between(from, to)), Math.floor(random.between(0, 12)), Math.floor(random.between(1, 29))),
    )
    return date.toISOString().slice(0, 10)
  }
  const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(random.next() * 10)).join('')
  const origin = random.pick(origins)
  const sex = random.pick(['F', 'M'] as const)
  return {
    seed,
    firstName: random.pick(firstNames[sex]),
    lastName: random.pick(origin.lastNames),
    dateOfBirth: day(year - 70, year - 19),
    sex,
    nationality: origin.country,
    issuingCountry: origin.country,
    placeOfBirth: random.pick(origin.places),
    documentNumber: `${random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])}${random.pick([...'ABCDEFGHJKLMNPRSTUVWXYZ'])}${digits(7)}`,
    issued: day(year - 8, year),
    expires: day(year + 1, year + 7),
    ...given,
  }
}
