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
  q: z.string().nullable().meta({ description: 'The words, folded' }),
  updates: z.boolean(),
})

const frame = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), seq: z.int().meta({ description: 'Position in the change log' }), data })
const streamedExpression = ExpressionAnswer.omit({ created: true, moderation: true }).meta({ id: 'StreamedExpression' })

/** Frames of /ws by type, as in the AsyncAPI document. */
export const serverFrames = {
  welcome: frame(
    'welcome',
    z.object({
      filters: Filters,
      ignored: z.array(z.string()).meta({ description: 'Names of the filters that the server does not know and ignores' }),
      heartbeat_s: z.number(),
      expires_at: z.iso.datetime().meta({ description: 'End of the token; a `token` frame renews it' }),
    }),
  ).meta({ description: 'State of the stream and filter of the client; sent on connection and after each `subscribe`' }),
  token: frame('token', z.object({ expires_at: z.iso.datetime() })).meta({ description: 'The renewed token is accepted until this time' }),
  expression: frame('expression', streamedExpression).meta({ description: 'A new expression' }),
  expression_updated: frame('expression_updated', streamedExpression).meta({
    description: 'A changed expression, for clients that requested updates',
  }),
  expression_withdrawn: frame('expression_withdrawn', z.object({ id: z.string() })).meta({
    description: 'A withdrawn expression, for clients that requested updates, whatever their other filters',
  }),
  heartbeat: frame('heartbeat', z.object({ at: z.iso.datetime() })).meta({ description: 'Sent every `heartbeat_s` seconds' }),
  lagged: frame('lagged', z.object({ dropped: z.int().nullable() })).meta({
    description: 'Number of messages omitted before this position; null when it is unknown',
  }),
  error: frame(
    'error',
    z.object({
      code: z.string(),
      detail: z.string(),
      valid: z.array(z.string()).exactOptional().meta({ description: 'The values that the named filter accepts' }),
    }),
  ).meta({
    description: 'Reason for closing the connection: 4400 for an invalid message, 1013 when the address or user has too many connections',
  }),
}

/** Data of a frame type. */
export type FrameData<Type extends keyof typeof serverFrames> = z.output<(typeof serverFrames)[Type]>['data']

export type FrameType = keyof typeof serverFrames

/** Serialises a frame. */
export const frameOf = <Type extends FrameType>(type: Type, seq: number, data: FrameData<Type>): string =>
  JSON.stringify({ type, seq, data })
