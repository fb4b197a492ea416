import { notAhead, systemClock } from '../../../foundation/clock.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import { hasVisibleCharacter, isStorableText, languageCode } from '../../../foundation/validation/values.ts'
import {
  blank,
  required,
  tooLarge,
  tooLong,
  tooShort,
  tooSmall,
  unstorable,
  type Violation,
} from '../../../foundation/validation/violation.ts'
import type { ExpressionInput, NewExpression } from '../expression/expression-input.ts'

type Optional<Value> = Value | null | undefined

export const maxTextLength = 10_000
const maxReferenceLength = 512
/** archives of letters start here; a limit keeps wrong dates out of lists */
const firstYear = 1900

/**
 * @param now - ms since 1970  @param unknownLanguage - whether an unknown language code is refused or detected from the text
 * @throws {InvalidInput} naming every invalid member
 */
export function newExpression(
  input: ExpressionInput,
  now: number = systemClock.now(),
  unknownLanguage: 'refused' | 'detected' = 'detected',
): NewExpression {
  const text = cleanText(input.text)
  const lang = input.lang == null ? null : (languageCode(input.lang) ?? null)
  const createdAt = momentOf(input.createdAt, now)
  const violations: Violation[] = []
  const { value: domainHint } = renamed(input, 'domainId', 'domain', violations)
  violations.push(
    ...textViolations(text),
    ...(['externalId', 'authorRef', 'source', 'domainId', 'domain'] as const).flatMap((name) => referenceViolations([name], input[name])),
    ...(lang === null && input.lang != null && unknownLanguage === 'refused' ? [notALanguage] : []),
    ...(createdAt === undefined ? [notInTime] : []),
    ...positionViolations(input.location),
    ...addressMembers.flatMap((name) => referenceViolations(['location', name], input.location?.[name])),
  )
  refuseViolations(violations)
  return {
    text,
    externalId: input.externalId ?? null,
    authorRef: input.authorRef ?? null,
    source: input.source ?? 'api',
    createdAt: createdAt ?? null,
    lang,
    position: positionOf(input.location),
    address: addressOf(input.location),
    domainHint: domainHint ?? null,
  }
}

function textViolations(text: string): Violation[] {
  const length = [...text].length
  if (length < 1) return [tooShort(['text'], 1)]
  if (!hasVisibleCharacter(text)) return [blank(['text'])]
  return length > maxTextLength ? [tooLong(['text'], maxTextLength)] : []
}

const notALanguage: Violation = {
  code: 'unknown',
  path: ['lang'],
  message: 'Input should be a language code of ISO 639-1 or 639-3; leave it out to detect the language',
}

const notInTime: Violation = {
  code: 'out_of_range',
  path: ['createdAt'],
  message: `the time must be from ${firstYear} to 5 minutes ahead of now, in UTC`,
}

/** @returns undefined for a time out of range */
function momentOf(createdAt: Optional<Date>, now: number): Date | null | undefined {
  if (createdAt == null) return null
  return createdAt.getUTCFullYear() >= firstYear ? notAhead(createdAt, now) : undefined
}

function positionOf(location: ExpressionInput['location']): NewExpression['position'] {
  const { lat, lon } = location ?? {}
  return lat == null || lon == null ? null : { lat, lon }
}

function positionViolations(location: ExpressionInput['location']): Violation[] {
  const { lat, lon } = location ?? {}
  if (lat == null && lon == null) return []
  return [...boundViolations('lat', lat, 90), ...boundViolations('lon', lon, 180)]
}

function boundViolations(name: 'lat' | 'lon', value: Optional<number>, bound: number): Violation[] {
  if (value == null) return [required(['location', name])]
  if (!(value >= -bound)) return [tooSmall(['location', name], -bound)]
  return value <= bound ? [] : [tooLarge(['location', name], bound)]
}

const addressMembers = ['address', 'postcode', 'city', 'country'] as const

function addressOf(location: ExpressionInput['location']): NewExpression['address'] {
  if (location == null) return null
  const { address, postcode, city, country } = location
  if (address == null && postcode == null && city == null && country == null) return null
  return { address: address ?? undefined, postcode: postcode ?? undefined, city: city ?? undefined, country: country ?? undefined }
}

/** Finds text that the queue cannot store, which would fail together with other writes. */
function referenceViolations(path: readonly string[], value: Optional<string>): Violation[] {
  if (value == null) return []
  if (value.length > maxReferenceLength) return [tooLong(path, maxReferenceLength)]
  return isStorableText(value) ? [] : [unstorable(path)]
}

/** Normalises a text: NFC, no control characters except line breaks and tabs, no lone surrogates, trimmed. */
export function cleanText(text: string): string {
  const shown = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
  return normalForm(shown, 'NFC').trim()
}
