import { z } from 'zod'
import { sentiments } from '../../../foundation/filter/expression-filter.ts'
import { ExpressionAnswer } from '../../live/public-expression.ts'

const Filters = z.object({
  taxonomy: z.array(z.string()).nullable(),
  sentiment: z.enum(sentiments).nullable(),
  lang: z.string().nullable(),
  bbox: z.array(z.number()).length(4).nullable().meta({ description: 'west, south, east, north in degrees' }),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  radius_km: z.number().nullable(),
  updates: z.boolean(),
})

const frame = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), seq: z.int().meta({ description: 'the place in the change log' }), data })
const told = ExpressionAnswer.omit({ created: true }).meta({ id: 'ToldExpression' })

/** What /ws tells a client: its frames by their type, as the document says them. */
export const serverFrames = {
  welcome: frame('welcome', z.object({ filters: Filters, heartbeat_s: z.number() })).meta({
    description: 'where the stream stands, and what the client is filtered by; again after each `subscribe`',
  }),
  expression: frame('expression', told).meta({ description: 'an expression that is new' }),
  expression_updated: frame('expression_updated', told).meta({ description: 'an expression that has changed, for who asked for updates' }),
  heartbeat: frame('heartbeat', z.object({ at: z.iso.datetime() })).meta({ description: 'comes every `heartbeat_s`' }),
  lagged: frame('lagged', z.object({ dropped: z.int().nullable() })).meta({
    description: 'so many were left out before this place; null: nobody knows how many',
  }),
  error: frame('error', z.object({ code: z.string(), detail: z.string() })).meta({
    description: 'why the connection is closed with 4400, or with 1013 where its address or user has too many',
  }),
}

/** What a frame of a type holds. */
export type FrameData<Type extends keyof typeof serverFrames> = z.output<(typeof serverFrames)[Type]>['data']
