import { notAhead, systemClock } from '../../../foundation/clock.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import {
  required,
  sentenceOf,
  tooLarge,
  tooLong,
  tooShort,
  tooSmall,
  unstorable,
  type Violation,
} from '../../../foundation/validation/violation.ts'
import { cleanText } from '../analysis/redaction/clean-text.ts'
import type { NewExpression } from './enrich-expression.ts'

type Optional<Value> = Value | null | undefined

/** An expression from its sender, by GraphQL or as a line of a file. */
export interface ExpressionRequest {
  readonly text: string
  readonly externalId?: Optional<string>
  readonly lang?: Optional<string>
  readonly createdAt?: Optional<Date>
  readonly authorRef?: Optional<string>
  readonly source?: Optional<string>
  readonly location?: Optional<{
    readonly lat?: Optional<number>
    readonly lon?: Optional<number>
    readonly address?: Optional<string>
    readonly postcode?: Optional<string>
    readonly city?: Optional<string>
    readonly country?: Optional<string>
  }>
  /** domain or sub-domain according to the sender */
  readonly domain?: Optional<string>
}

export const longestText = 10_000
/** Excludes spaces, control and format characters, and invisible ones (zero-width characters, fillers, variation selectors). */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u
const longestReference = 512
/** archives of letters start here; a limit keeps wrong dates out of lists */
const firstYear = 1900

/** @param now - ms since 1970  @throws {InvalidInput} naming the member */
export function newExpression(input: ExpressionRequest, now: number = systemClock.now()): NewExpression {
  const text = cleanText(input.text)
  const length = [...text].length
  if (length < 1) refuse(tooShort(['text'], 1))
  if (!visible.test(text)) refuse({ code: 'blank', path: ['text'], message: 'String should have a character that can be seen' })
  if (length > longestText) refuse(tooLong(['text'], longestText))
  reference(['externalId'], input.externalId)
  reference(['authorRef'], input.authorRef)
  reference(['source'], input.source)
  reference(['domain'], input.domain)
  for (const name of ['address', 'postcode', 'city', 'country'] as const) reference(['location', name], input.location?.[name])
  return {
    text,
    externalId: input.externalId ?? null,
    authorRef: input.authorRef ?? null,
    source: input.source ?? 'api',
    createdAt: momentOf(input.createdAt, now),
    lang: input.lang == null ? null : languageOf(input.lang),
    position: positionOf(input.location),
    address: addressOf(input.location),
    domainHint: input.domain ?? null,
  }
}

function momentOf(createdAt: Optional<Date>, now: number): Date | null {
  if (createdAt == null) return null
  const at = createdAt.getUTCFullYear() >= firstYear ? notAhead(createdAt, now) : undefined
  const message = `the time must be from ${firstYear} to 5 minutes ahead of now, in UTC`
  return at ?? refuse({ code: 'out_of_range', path: ['createdAt'], message })
}

/** Returns the shortest code of a language ("fra" becomes fr); null for an unknown code, so that the language is detected. */
function languageOf(code: string): string | null {
  const isKnown = /^[a-z]{2,3}$/.test(code) && new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) !== undefined
  return isKnown ? new Intl.Locale(code).language : null
}

function positionOf(location: ExpressionRequest['location']): NewExpression['position'] {
  if (location == null || (location.lat == null && location.lon == null)) return null
  const { lat, lon } = location
  if (lat == null) return refuse(required(['location', 'lat']))
  if (lon == null) return refuse(required(['location', 'lon']))
  inRange('lat', lat, 90)
  inRange('lon', lon, 180)
  return { lat, lon }
}

function inRange(name: 'lat' | 'lon', value: number, most: number): void {
  if (!(value >= -most)) refuse(tooSmall(['location', name], -most))
  if (!(value <= most)) refuse(tooLarge(['location', name], most))
}

function addressOf(location: ExpressionRequest['location']): NewExpression['address'] {
  if (location == null) return null
  const { address, postcode, city, country } = location
  if (address == null && postcode == null && city == null && country == null) return null
  return { address: address ?? undefined, postcode: postcode ?? undefined, city: city ?? undefined, country: country ?? undefined }
}

/** Refuses text that the queue cannot store, which would fail together with other writes. */
function reference(path: readonly string[], value: string | null | undefined): void {
  if (value == null) return
  if (value.length > longestReference) refuse(tooLong(path, longestReference))
  if (!isStorableText(value)) refuse(unstorable(path))
}

function refuse(violation: Violation): never {
  throw new InvalidInput(sentenceOf(violation), [violation])
}
