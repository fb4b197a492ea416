import { z } from 'zod'
import { ownIssue } from '../response/invalid-request.ts'

const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?`
const maxBoxLength = 200
const fourNumbers = new RegExp(`^ *${number}(?: *, *${number}){3} *$`)

/** An area in degrees. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** `west,south,east,north` in degrees. */
export const bbox = z
  .string()
  .transform((text, context): Box => {
    const refuse = (msg: string): never => {
      context.addIssue(ownIssue({ type: 'value_error', msg: `Value error, ${msg}` }))
      return z.NEVER
    }
    if (text.length > maxBoxLength || !fourNumbers.test(text)) return refuse('bbox should be four numbers: west,south,east,north')
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

export const domain = z.string().meta({ description: 'Id of a domain, including its sub-domains, or of a sub-domain' })
export const lang = z
  .string()
  .transform((text, context) => {
    if (/^[a-z]{2,3}$/.test(text)) return text
    context.addIssue(ownIssue({ type: 'value_error', msg: 'Value error, a language is a code of two or three letters' }))
    return z.NEVER
  })
  .meta({ type: 'string', description: 'ISO 639-1, otherwise 639-3' })

export const q = z.string().meta({
  maxLength: 500,
  description:
    'Words that the text contains, in any language; a phrase in quotation marks. At most 32 words, not only stop words. Such a response has no ETag and is not cached',
})

export const sentiment = z.enum(['positive', 'neutral', 'negative']).meta({ description: 'Restricts the expressions by sentiment' })

export const period = {
  from: day.optional().meta({ description: 'First day' }),
  to: day.optional().meta({ description: 'Last day, included' }),
}

/** Refuses a first day after the last one. */
export const inOrder = <Period extends { readonly from?: string | undefined; readonly to?: string | undefined }>(
  { from, to }: Period,
  context: z.RefinementCtx<Period>,
): void => {
  if (from !== undefined && to !== undefined && from > to)
    context.addIssue({ ...ownIssue({ type: 'value_error', msg: 'Value error, from should not be after to' }), path: ['from'] })
}

/** Converts the parameters to a GraphQL filter. */
export const filterOf = ({
  domain: id,
  from,
  to,
  bbox: box,
  q: words,
}: {
  readonly domain?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bbox?: Box | undefined
  readonly q?: string | undefined
}) => ({ domainId: id ?? null, from: from ?? null, to: to ?? null, box: box ?? null, q: words ?? null })
