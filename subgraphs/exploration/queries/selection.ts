import { type BoundingBox, type BoundingBoxProblem, boundingBoxOf, problemOfBoundingBox } from '../../foundation/bounding-box.ts'
import type { Sentiment } from '../../foundation/expression-filter.ts'
import { InvalidInput } from '../../foundation/fault.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import { dayOfText, type Period } from './period.ts'
import type { Snapshot } from './roll-up-reader.ts'

/** Conditions that all hold; an absent one is none. */
export interface Selection extends Period {
  readonly domain: string | null
  readonly sentiment: Sentiment | null
  readonly lang: string | null
  readonly box: BoundingBox | null
}

/** A filter as it comes in. */
export interface FilterInput {
  readonly domain?: string | null
  readonly sentiment?: Sentiment | null
  readonly lang?: string | null
  /** days, such as 2026-11-21 */
  readonly from?: string | null
  readonly to?: string | null
  readonly box?: BoundingBox | null
}

/** Everything but the domain, which only the taxonomy knows. @throws {InvalidInput} naming the member as REST spells it */
export function selectionOf({ domain, sentiment, lang, from, to, box }: FilterInput): Selection {
  if (lang != null && !/^[a-z]{2,3}$/.test(lang)) refuse('lang', 'value_error', 'Value error, a language is a code of two or three letters')
  const [first, last] = [dayOf('from', from), dayOf('to', to)]
  if (first !== null && last !== null && first > last) refuse('from', 'value_error', 'Value error, from should not be after to')
  if (box != null) checkBox(box)
  return { domain: domain ?? null, sentiment: sentiment ?? null, lang: lang ?? null, from: first, to: last, box: box ?? null }
}

function dayOf(name: 'from' | 'to', text: string | null | undefined): number | null {
  if (text == null) return null
  const day = dayOfText(text)
  return day ?? refuse(name, 'date_from_datetime_parsing', 'Input should be a valid date in the format YYYY-MM-DD')
}

const boxRules: Readonly<Record<BoundingBoxProblem | 'number', string>> = {
  number: 'the edges should be finite numbers',
  longitude: 'longitudes should be -180 to 180',
  latitude: 'latitudes should be -90 to 90',
  order: 'the southern edge should not be north of the northern one',
}

function checkBox({ west, south, east, north }: BoundingBox): void {
  const box = boundingBoxOf([west, south, east, north])
  const problem = box === undefined ? 'number' : problemOfBoundingBox(box)
  if (problem !== undefined) refuse('bbox', 'value_error', `Value error, ${boxRules[problem]}`)
}

/** @throws {InvalidInput} */
export function refuse(name: string, type: string, msg: string): never {
  throw new InvalidInput(`${name}: ${msg}`, [{ loc: ['query', name], type, msg }])
}

/** By the number of a key: whether a selection takes it. @throws {InvalidInput} for a domain that is not in the taxonomy */
export function matchingKeys({ keys, taxonomy }: Snapshot, { domain, sentiment, lang }: Selection): readonly boolean[] {
  if (domain !== null && taxonomy.find(domain) === undefined)
    refuse('domain', 'value_error', 'Value error, there is no such domain or sub-domain')
  const matches = (key: RollUpKey): boolean =>
    (domain === null || key.domain === domain || key.subDomain === domain) &&
    (sentiment === null || key.sentiment === sentiment) &&
    (lang === null || key.lang === lang)
  return Array.from(keys, (key) => key !== undefined && matches(key))
}
