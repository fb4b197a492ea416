import { z } from 'zod'

const edge = z.number().refine(Number.isFinite)
const edges = z.union([z.array(edge), z.string().max(200)])
const tones = ['positive', 'neutral', 'negative'] as const
const longestId = 200
/** newest expressions that a client may ask for at once */
export const maxRecent = 50

const Wish = z.strictObject({
  domain: z
    .string()
    .min(1)
    .max(longestId)
    .regex(/^[^;=]+$/)
    .nullish(),
  sentiment: z.enum(tones).nullish(),
  lang: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .nullish(),
  bbox: edges.nullish(),
  after: z.int().min(0).nullish(),
  recent: z.int().min(0).max(maxRecent).nullish(),
})

export type Box = readonly [west: number, south: number, east: number, north: number]

/** Which expressions a client wants; an absent member is no condition. */
export interface RealtimeFilter {
  readonly domain?: string
  readonly sentiment?: (typeof tones)[number]
  readonly lang?: string
  readonly bbox?: Box
}

/** A filter, and where its events are to begin. */
export interface RealtimeWish {
  readonly filter: RealtimeFilter
  /** the last seq that the client has seen; undefined: none */
  readonly after: number | undefined
  /** so many of the newest ones first, when it has seen none */
  readonly recent: number
}

/** Why something that a client sent is refused, as a sentence that names the member. */
export interface RealtimeRefusal {
  readonly detail: string
}

/** Reads what a client subscribes with. A member of another name is refused: misspelt, it would be a wish for more; nothing at all is a wish for everything. */
export function readWish(content: unknown): RealtimeWish | RealtimeRefusal {
  if (content instanceof Uint8Array) return { detail: 'a filter must be an object' }
  const read = Wish.safeParse(content ?? {})
  if (!read.success) return { detail: read.error.issues.map(sentenceOf).join('; ') }
  const { domain, sentiment, lang, bbox, after, recent } = read.data
  const box = bbox == null ? undefined : readBox(bbox)
  if (box !== undefined && 'detail' in box) return box
  return {
    filter: { ...(domain && { domain }), ...(sentiment && { sentiment }), ...(lang && { lang }), ...(box && { bbox: box }) },
    after: after ?? undefined,
    recent: recent ?? 0,
  }
}

const rules: Readonly<Record<string, string>> = {
  domain: `must be the id of a domain, at most ${longestId} characters and none of them ; or =`,
  sentiment: `must be one of ${tones.join(', ')}`,
  lang: 'must be a language code of two or three letters',
  bbox: 'must be "west,south,east,north" or four numbers',
  after: 'must be the seq of an event, a whole number',
  recent: `must be a whole number from 0 to ${maxRecent}`,
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `there is no condition ${issue.keys.map((key) => JSON.stringify(key.slice(0, longestId))).join(', ')}; there are ${Object.keys(rules).join(', ')}`
  const [member] = issue.path
  return member === undefined ? 'a filter must be an object' : `${String(member)} ${rules[String(member)]}`
}

function readBox(given: string | readonly number[]): Box | RealtimeRefusal {
  const parts = typeof given === 'string' ? given.split(',') : given
  const numbers = parts.map((part) => (typeof part === 'string' && part.trim() === '' ? Number.NaN : Number(part)))
  const [west, south, east, north] = numbers
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || west === undefined || south === undefined || east === undefined)
    return { detail: `bbox ${rules.bbox}` }
  if (north === undefined || Math.abs(west) > 180 || Math.abs(east) > 180) return { detail: 'bbox has a longitude beyond 180 degrees' }
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return { detail: 'bbox has a latitude beyond 90 degrees' }
  if (south > north) return { detail: 'bbox has its south above its north' }
  return [west, south, east, north]
}

const roomPrefix = 'expressions'
const anything = 'all'

/** Equal filters have equal rooms, however they were written. */
export function roomOf({ domain, sentiment, lang, bbox }: RealtimeFilter): string {
  const conditions = [
    ...(domain === undefined ? [] : [`domain=${domain}`]),
    ...(sentiment === undefined ? [] : [`sentiment=${sentiment}`]),
    ...(lang === undefined ? [] : [`lang=${lang}`]),
    // a ten-thousandth of a degree is 11 m
    ...(bbox === undefined ? [] : [`bbox=${bbox.map((value) => Math.round(value * 1e4) / 1e4 + 0).join(',')}`]),
  ]
  return `${roomPrefix}:${conditions.join(';') || anything}`
}

export const isRoom = (name: string): boolean => name.startsWith(`${roomPrefix}:`)

/** What a filter looks at in an expression. */
export interface FilteredExpression {
  readonly lang: { readonly code: string } | null
  readonly location: { readonly lat: number; readonly lon: number } | null
  readonly classification: { readonly domain: { readonly id: string } | null; readonly sub_domain: { readonly id: string } | null } | null
  readonly sentiment: { readonly label: string } | null
}

/** Sub-domains belong to their domain; w > e crosses the antimeridian; what has no position is in no box. */
export function matches({ domain, sentiment, lang, bbox }: RealtimeFilter, expression: FilteredExpression): boolean {
  const { classification, location } = expression
  if (domain !== undefined && classification?.domain?.id !== domain && classification?.sub_domain?.id !== domain) return false
  if (sentiment !== undefined && expression.sentiment?.label !== sentiment) return false
  if (lang !== undefined && expression.lang?.code !== lang) return false
  if (bbox === undefined) return true
  if (location === null) return false
  const [west, south, east, north] = bbox
  const { lat, lon } = location
  return lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)
}
