import { InvalidInput } from '../fault.ts'
import { containsText, type TextQuery } from '../text/text-query.ts'
import type { Violation, ViolationCode } from '../validation/violation.ts'
import { type BoundingBox, isInBoundingBox, type Position, problemOfBoundingBox } from './bounding-box.ts'

/** A filter of expressions: all given conditions must hold. Used by the live streams of every protocol. */
export interface ExpressionFilter {
  /** ids of domains or sub-domains, any of which matches, descendants included */
  readonly taxonomy?: readonly string[]
  readonly sentiment?: Sentiment
  /** ISO 639-1, else 639-3 */
  readonly lang?: string
  readonly box?: BoundingBox
  readonly circle?: Position & { readonly radiusKm: number }
  /** words and phrases of the text */
  readonly text?: TextQuery
}

export const sentiments = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof sentiments)[number]

/** The properties of an expression that a filter reads; null if a pipeline step found nothing. */
export interface ExpressionTraits {
  readonly domain: string | null
  readonly subDomain: string | null
  /** retired domains that these two replace, each of which matches as well */
  readonly formerDomains?: readonly string[]
  readonly sentiment: string | null
  readonly lang: string | null
  readonly position: Position | null
  /** without personal data */
  readonly text: string
}

const maxIds = 100
const maxIdLength = 200
const earthRadiusKm = 6371.0088
/** half the circumference of the earth */
const maxRadiusKm = 20_016

/**
 * Validates a filter. @param nameOf - spelling of a member in the protocol: `radiusKm` as `radius_km` or `circle.radiusKm`
 * @throws {InvalidInput} with an entry for each invalid member; the message is the first, and begins with the member
 */
export function checkExpressionFilter(filter: ExpressionFilter, nameOf: (member: string) => string = (member) => member): void {
  const violations = expressionFilterViolations(filter, nameOf)
  const [first] = violations
  if (first !== undefined) throw new InvalidInput(`${first.path.join('.')} ${first.message}`, violations)
}

/** Returns the invalid members of a filter; `path` has their spelling in the protocol. */
export function expressionFilterViolations(filter: ExpressionFilter, nameOf: (member: string) => string): readonly Violation[] {
  const violations: Violation[] = []
  const refuse = (member: string, code: ViolationCode, message: string): void =>
    void violations.push({ code, path: nameOf(member).split('.'), message })
  const mustBeWithin = (member: string, limit: number): void => refuse(member, 'out_of_range', `must be from -${limit} to ${limit}`)
  const { taxonomy, lang, sentiment, box, circle } = filter
  if (taxonomy !== undefined) {
    if (taxonomy.length === 0 || taxonomy.length > maxIds)
      refuse('taxonomy', taxonomy.length === 0 ? 'too_few' : 'too_many', `must have 1 to ${maxIds} ids`)
    else if (taxonomy.some((id) => id.length === 0 || id.length > maxIdLength))
      refuse(
        'taxonomy',
        taxonomy.some((id) => id.length === 0) ? 'too_short' : 'too_long',
        `must contain ids of 1 to ${maxIdLength} characters`,
      )
  }
  if (sentiment !== undefined && !sentiments.includes(sentiment)) refuse('sentiment', 'unknown', `must be one of ${sentiments.join(', ')}`)
  if (lang !== undefined && !/^[a-z]{2,3}$/.test(lang)) refuse('lang', 'wrong_pattern', 'must be a language code of two or three letters')
  if (box !== undefined) {
    const problem = problemOfBoundingBox(box)
    if (problem === 'order') refuse('box', 'wrong_order', 'has its south above its north')
    else if (problem !== undefined) mustBeWithin('box', problem === 'longitude' ? 180 : 90)
  }
  if (circle !== undefined) {
    if (!(Math.abs(circle.lat) <= 90)) mustBeWithin('lat', 90)
    if (!(Math.abs(circle.lon) <= 180)) mustBeWithin('lon', 180)
    if (!(circle.radiusKm > 0 && circle.radiusKm <= maxRadiusKm))
      refuse('radiusKm', 'out_of_range', `must be greater than 0 and at most ${maxRadiusKm}`)
  }
  if (box !== undefined && circle !== undefined) refuse('box', 'exclusive', 'cannot be combined with a circle')
  return violations
}

/** Whether an expression matches. An expression without a position is in no area. */
export function matchesExpressionFilter(
  filter: ExpressionFilter,
  { domain, subDomain, formerDomains = [], position, ...traits }: ExpressionTraits,
): boolean {
  const { taxonomy, sentiment, lang, box, circle, text } = filter
  if (sentiment !== undefined && traits.sentiment !== sentiment) return false
  if (lang !== undefined && traits.lang !== lang) return false
  if (taxonomy?.every((id) => id !== domain && id !== subDomain && !formerDomains.includes(id))) return false
  if (box !== undefined && (position === null || !isInBoundingBox(box, position))) return false
  if (circle !== undefined && !(position !== null && distanceKm(circle, position) <= circle.radiusKm)) return false
  return text === undefined || containsText(text, traits.text)
}

/**
 * Computes the distance on a sphere with the haversine formula; error at most 0.5 %. @see Sinnott, "Virtues of the Haversine", Sky and Telescope 68,
 * 1984
 */
function distanceKm(a: Position, b: Position): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const half = (degrees: number): number => Math.sin(radians(degrees) / 2) ** 2
  const part = half(b.lat - a.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(b.lon - a.lon)
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(part)))
}
