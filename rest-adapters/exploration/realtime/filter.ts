import { z } from 'zod'
import type { FaultCode } from '../../../foundation/fault.ts'
import { type BoundingBox, type BoundingBoxProblem, boundingBoxOf, problemOfBoundingBox } from '../../../foundation/filter/bounding-box.ts'
import { type ExpressionFilter, sentiments } from '../../../foundation/filter/expression-filter.ts'
import { isTextViolation, readTextQuery, textOfQuery } from '../../../foundation/text/text-query.ts'
import { excerpt } from '../../../foundation/validation/values.ts'

const edge = z.number().refine(Number.isFinite)
const edges = z.union([z.array(edge), z.string().max(200)])
const maxIdLength = 200
/** maximum of newest expressions on request */
export const maxRecent = 50

/** Content of a subscription request. */
export const Subscription = z.strictObject({
  domain: z
    .string()
    .min(1)
    .max(maxIdLength)
    .regex(/^[^;=]+$/)
    .nullish(),
  sentiment: z.enum(sentiments).nullish(),
  lang: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .nullish(),
  bbox: edges.nullish(),
  q: z.string().nullish(),
  after: z.int().min(0).nullish(),
  recent: z.int().min(0).max(maxRecent).nullish(),
})

/** A filter with at most one domain, and the start position of its events. */
export interface RealtimeSubscription {
  readonly filter: ExpressionFilter
  /** the last seq received; undefined without one */
  readonly after: number | undefined
  /** number of newest expressions to send first, without a position */
  readonly recent: number
}

/** The refusal of a message, as a sentence that names the member. */
export interface RealtimeRefusal {
  readonly detail: string
  /** code, when the cause is not the content */
  readonly code?: FaultCode
  readonly retryAfterMs?: number
}

/**
 * Reads a subscription request. Unknown members are refused, because a misspelt one would widen the filter; without members it matches
 * everything.
 */
export function readSubscription(content: unknown): RealtimeSubscription | RealtimeRefusal {
  if (content instanceof Uint8Array) return { detail: 'a filter must be an object' }
  const read = Subscription.safeParse(content ?? {})
  if (!read.success) return { detail: read.error.issues.map(sentenceOf).join('; ') }
  const { domain, sentiment, lang, bbox, q, after, recent } = read.data
  const box = bbox == null ? undefined : readBox(bbox)
  if (box !== undefined && 'detail' in box) return box
  const text = q == null ? undefined : readTextQuery(q)
  if (text !== undefined && isTextViolation(text)) return { detail: `q ${text.message}` }
  return {
    filter: {
      ...(domain && { taxonomy: [domain] }),
      ...(sentiment && { sentiment }),
      ...(lang && { lang }),
      ...(box && { box }),
      ...(text && { text }),
    },
    after: after ?? undefined,
    recent: recent ?? 0,
  }
}

const rules: Readonly<Record<string, string>> = {
  domain: `must be the id of a domain, at most ${maxIdLength} characters and none of them ; or =`,
  sentiment: `must be one of ${sentiments.join(', ')}`,
  lang: 'must be a language code of two or three letters',
  bbox: 'must be "west,south,east,north" or four numbers',
  q: 'must be text',
  after: 'must be the seq of an event: an integer of 0 or more',
  recent: `must be an integer from 0 to ${maxRecent}`,
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `unknown condition ${JSON.stringify(excerpt(issue.keys.join(', ')))}; use ${Object.keys(rules).join(', ')}`
  const [member] = issue.path
  return member === undefined ? 'a filter must be an object' : `${String(member)} ${rules[String(member)]}`
}

const boxProblems: Readonly<Record<BoundingBoxProblem, string>> = {
  longitude: 'bbox has a longitude outside -180 to 180 degrees',
  latitude: 'bbox has a latitude outside -90 to 90 degrees',
  order: 'bbox has a south edge north of its north edge',
}

function readBox(input: string | readonly number[]): BoundingBox | RealtimeRefusal {
  const parts = typeof input === 'string' ? input.split(',') : input
  const box = boundingBoxOf(parts.map((part) => (typeof part === 'string' && part.trim() === '' ? Number.NaN : Number(part))))
  if (box === undefined) return { detail: `bbox ${rules.bbox}` }
  const problem = problemOfBoundingBox(box)
  return problem === undefined ? box : { detail: boxProblems[problem] }
}

const roomPrefix = 'expressions'
const anything = 'all'

/** Returns the same room for equal filters in any notation. */
export function roomOf({ taxonomy, sentiment, lang, box, text }: ExpressionFilter): string {
  const edges = box && [box.west, box.south, box.east, box.north]
  const conditions = [
    ...(taxonomy === undefined ? [] : [`domain=${taxonomy.join(',')}`]),
    ...(sentiment === undefined ? [] : [`sentiment=${sentiment}`]),
    ...(lang === undefined ? [] : [`lang=${lang}`]),
    // a ten-thousandth of a degree is 11 m
    ...(edges === undefined ? [] : [`bbox=${edges.map((value) => Math.round(value * 1e4) / 1e4 + 0).join(',')}`]),
    ...(text === undefined ? [] : [`q=${textOfQuery(text)}`]),
  ]
  return `${roomPrefix}:${conditions.join(';') || anything}`
}

/**
 * Returns whether a filter has no condition, or only a domain or a sentiment. These are few and shared by many clients, so they are
 * accepted regardless of the limit of filters.
 */
export const isPlain = ({ taxonomy, sentiment, lang, box, text }: ExpressionFilter): boolean =>
  lang === undefined && box === undefined && text === undefined && (taxonomy === undefined || sentiment === undefined)

export const isRoom = (name: string): boolean => name.startsWith(`${roomPrefix}:`)
