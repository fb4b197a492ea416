import { z } from 'zod'
import { InvalidInput } from '../../../foundation/fault.ts'
import { checkExpressionFilter, type ExpressionFilter, type Sentiment, sentiments } from '../../../foundation/filter/expression-filter.ts'
import { isTextViolation, readTextQuery, type TextQuery, textOfQuery } from '../../../foundation/text/text-query.ts'
import type { FrameData } from './server-frames.ts'

/** Filter of a client of /ws. */
export interface StreamFilter extends ExpressionFilter {
  /** whether changed and withdrawn expressions are sent as well */
  readonly updates: boolean
  /** names that no filter has, at most 20 */
  readonly ignored: readonly string[]
}

/** A value that a filter does not know, with those that it does. */
export class UnknownValue extends InvalidInput {
  readonly valid: readonly string[]

  constructor(message: string, valid: readonly string[]) {
    super(message)
    this.valid = valid
  }
}

/** Query parameters of /ws and members of the frame `subscribe`. The filter validates the values. */
export const StreamParameters = z.object({
  token: z.string().meta({ description: 'Access token of the identity provider; without one, the connection closes with 4401' }),
  taxonomy: z
    .string()
    .optional()
    .meta({ description: 'Ids of domains or sub-domains, separated by commas; an expression matches any of them or of their descendants' }),
  sentiment: z.string().optional().meta({ description: 'positive, neutral or negative' }),
  bbox: z.string().optional().meta({ description: 'west,south,east,north in degrees' }),
  lat: z.string().optional().meta({ description: 'Degrees north; requires lon and radius_km, and excludes bbox' }),
  lon: z.string().optional().meta({ description: 'Degrees east' }),
  radius_km: z.string().optional().meta({ description: 'Kilometres' }),
  lang: z.string().optional().meta({ description: 'ISO 639-1, otherwise 639-3' }),
  q: z.string().optional().meta({ description: 'Words that the text contains, in any language; a phrase in quotation marks' }),
  updates: z.string().optional().meta({ description: 'true: also sends expressions that were changed or withdrawn' }),
})

const maxIgnored = 20
const maxNameLength = 100
const members = new Set(Object.keys(StreamParameters.omit({ token: true }).shape))

const names: Readonly<Record<string, string>> = { box: 'bbox', radiusKm: 'radius_km' }

/**
 * Reads a filter from a query or a frame: lists and numbers may be text, null counts as absent, other members are ignored and listed.
 * @throws {InvalidInput} with one sentence that starts with the member
 */
export function readStreamFilter(input: Readonly<Record<string, unknown>>): StreamFilter {
  const member = (name: string): unknown => input[name] ?? undefined
  const circle = ['lat', 'lon', 'radius_km'].map((name) => [name, numberOf(name, member(name))] as const)
  const missing = circle.find(([, value]) => value === undefined)
  if (missing !== undefined && circle.some(([, value]) => value !== undefined))
    refuse(missing[0], 'is missing: lat, lon and radius_km go together')
  const [lat, lon, radiusKm] = circle.map(([, value]) => value)
  const edges = listOf('bbox', member('bbox'))?.map((value) => numberOf('bbox', value))
  const [west, south, east, north] = edges ?? []
  if (edges !== undefined && (edges.length !== 4 || edges.includes(undefined))) refuse('bbox', 'must be west,south,east,north')
  const taxonomy = listOf('taxonomy', member('taxonomy'))?.map((id) => textOf('taxonomy', id))
  const sentiment = sentimentOf(textOf('sentiment', member('sentiment')))
  const lang = textOf('lang', member('lang'))
  const text = queryOf(textOf('q', member('q')))
  const filter: ExpressionFilter = {
    ...(taxonomy === undefined ? {} : { taxonomy: taxonomy.map((id) => id ?? '') }),
    ...(sentiment === undefined ? {} : { sentiment }),
    ...(lang === undefined ? {} : { lang }),
    ...(west === undefined || south === undefined || east === undefined || north === undefined
      ? {}
      : { box: { west, south, east, north } }),
    ...(lat === undefined || lon === undefined || radiusKm === undefined ? {} : { circle: { lat, lon, radiusKm } }),
    ...(text === undefined ? {} : { text }),
  }
  checkExpressionFilter(filter, (name) => names[name] ?? name)
  const ignored = Object.keys(input).filter((name) => !members.has(name))
  return {
    ...filter,
    updates: flagOf(member('updates')),
    ignored: ignored.slice(0, maxIgnored).map((name) => name.slice(0, maxNameLength)),
  }
}

/** @throws {InvalidInput} also for a repeated parameter, since using only the last one would hide a mistake */
export function readStreamQuery(query: URLSearchParams): StreamFilter {
  for (const name of Object.keys(StreamParameters.shape)) if (query.getAll(name).length > 1) refuse(name, 'must not be repeated')
  const { token, ...input } = Object.fromEntries(query)
  return readStreamFilter(input)
}

/** Returns a filter with the names of its parameters. */
export function shownFilter({ taxonomy, sentiment, lang, box, circle, text, updates }: StreamFilter): FrameData<'welcome'>['filters'] {
  return {
    taxonomy: taxonomy === undefined ? null : [...taxonomy],
    sentiment: sentiment ?? null,
    lang: lang ?? null,
    bbox: box === undefined ? null : [box.west, box.south, box.east, box.north],
    lat: circle?.lat ?? null,
    lon: circle?.lon ?? null,
    radius_km: circle?.radiusKm ?? null,
    q: text === undefined ? null : textOfQuery(text),
    updates,
  }
}

function refuse(member: string, sentence: string): never {
  throw new InvalidInput(`${member} ${sentence}`)
}

function textOf(member: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return refuse(member, 'must be text')
}

function sentimentOf(value: string | undefined): Sentiment | undefined {
  const sentiment = sentiments.find((each) => each === value)
  if (value !== undefined && sentiment === undefined)
    throw new UnknownValue(`sentiment must be one of ${sentiments.join(', ')}`, sentiments)
  return sentiment
}

function queryOf(q: string | undefined): TextQuery | undefined {
  const read = q === undefined ? undefined : readTextQuery(q)
  return read !== undefined && isTextViolation(read) ? refuse('q', read.message) : read
}

function listOf(member: string, value: unknown): readonly unknown[] | undefined {
  if (value === undefined || Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : refuse(member, 'must be a comma-separated list')
}

function numberOf(member: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : refuse(member, 'must contain numbers')
}

function flagOf(value: unknown): boolean {
  if (value === undefined || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw new UnknownValue('updates must be true or false', ['true', 'false'])
}
