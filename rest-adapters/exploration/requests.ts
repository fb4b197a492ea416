import { z } from 'zod'
import { ownIssue } from '../response/invalid-request.ts'
import { laxInteger } from '../route/value-schemas.ts'

const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?`
const longestBox = 200
const fourNumbers = new RegExp(`^ *${number}(?: *, *${number}){3} *$`)

interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** `west,south,east,north` in degrees. */
const bbox = z
  .string()
  .transform((text, context): Box => {
    const refuse = (msg: string): never => {
      context.addIssue(ownIssue({ type: 'value_error', msg: `Value error, ${msg}` }))
      return z.NEVER
    }
    if (text.length > longestBox || !fourNumbers.test(text)) return refuse('bbox should be four numbers: west,south,east,north')
    const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
    if (Math.max(Math.abs(west), Math.abs(east)) > 180) return refuse('longitudes should be -180 to 180')
    if (Math.max(Math.abs(south), Math.abs(north)) > 90) return refuse('latitudes should be -90 to 90')
    if (south > north) return refuse('the southern edge should not be north of the northern one')
    return { west, south, east, north }
  })
  .meta({
    type: 'string',
    description: 'Area in degrees: west,south,east,north; when west is greater than east, it crosses the antimeridian',
  })

const day = z
  .string()
  .transform((text, context) => {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
    if (at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)) return text
    context.addIssue(ownIssue({ type: 'date_parsing', msg: 'Input should be a valid date in the format YYYY-MM-DD' }))
    return z.NEVER
  })
  .meta({ type: 'string', format: 'date' })

const domain = z.string().meta({ description: 'Id of a domain, including its sub-domains, or of a sub-domain' })
const lang = z
  .string()
  .transform((text, context) => {
    if (/^[a-z]{2,3}$/.test(text)) return text
    context.addIssue(ownIssue({ type: 'value_error', msg: 'Value error, a language is a code of two or three letters' }))
    return z.NEVER
  })
  .meta({ type: 'string', description: 'ISO 639-1, otherwise 639-3' })

const period = {
  from: day.optional().meta({ description: 'First day' }),
  to: day.optional().meta({ description: 'Last day, included' }),
}

const inOrder = <Period extends { readonly from?: string | undefined; readonly to?: string | undefined }>(
  { from, to }: Period,
  context: z.RefinementCtx<Period>,
): void => {
  if (from !== undefined && to !== undefined && from > to)
    context.addIssue({ ...ownIssue({ type: 'value_error', msg: 'Value error, from should not be after to' }), path: ['from'] })
}

export const mapQuery = z
  .object({
    bbox: bbox.optional(),
    zoom: laxInteger(0, 22)
      .optional()
      .meta({ type: 'integer', minimum: 0, maximum: 22, description: 'By default the highest zoom that bbox allows' }),
    domain: domain.optional(),
    sentiment: z.enum(['positive', 'neutral', 'negative']).optional().meta({ description: 'Restricts the expressions by sentiment' }),
    lang: lang.optional(),
    ...period,
  })
  .superRefine(inOrder)

export const statsQuery = z.object({ ...period, domain: domain.optional(), bbox: bbox.optional() }).superRefine(inOrder)

export const domainsQuery = z.object({ lang: lang.optional().meta({ description: 'Returns labels in this language only, if available' }) })

/** Converts the parameters to a GraphQL filter. */
export const filterOf = ({
  domain: id,
  from,
  to,
  bbox: box,
}: {
  readonly domain?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bbox?: Box | undefined
}) => ({ domainId: id ?? null, from: from ?? null, to: to ?? null, box: box ?? null })
