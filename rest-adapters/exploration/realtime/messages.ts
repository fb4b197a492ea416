import { z } from 'zod'
import { ExpressionAnswer } from '../../live/public-expression.ts'
import { StatsAnswer } from '../responses.ts'
import { Subscription } from './filter.ts'

const seq = z.int().meta({
  description:
    'Position in the change log; messages that are not about an expression have a sequence of their own, which is the same in all replicas',
})
const version = z.string().meta({ description: 'Version of the statistics, domains and map' })
const { sentiment } = StatsAnswer.shape
const statistics = StatsAnswer.omit({ sentiment: true })
  .extend({ version, sentiment: sentiment.omit({ history: true }) })
  .meta({ id: 'StreamedStatistics', description: 'The response of GET /api/v1/stats without the history' })
const expression = ExpressionAnswer.omit({ created: true, moderation: true }).meta({
  id: 'StreamedExpression',
  description: 'The response to a new expression, without its author',
})
const refusal = z.object({ ok: z.literal(false), detail: z.string(), code: z.string().optional(), retryAfterMs: z.number().optional() })

/** Events of the realtime channel, by name. */
export const serverEvents = {
  'expression:created': z
    .object({ seq, version, expression })
    .meta({ description: 'Sent to clients whose filters match, at least once; a repeated message has the same id' }),
  'expression:withdrawn': z.object({ seq, version, id: z.string() }).meta({
    description:
      'Sent to all clients regardless of their filters, because the content is erased. A client may not have received the expression before; it no longer exists.',
  }),
  'stats:updated': z.object({ seq, version, statistics }).meta({ description: 'Sent at most once per second' }),
  'domains:updated': z.object({ seq, version }).meta({ description: 'Sent at most once per second; request GET /api/v1/domains again' }),
  'map:invalidated': z
    .object({ seq, version, tiles: z.array(z.object({ z: z.int(), x: z.int(), y: z.int() })) })
    .meta({ description: 'Sent at most once per second; request these tiles of the map again' }),
  lagged: z
    .object({ seq, dropped: z.null() })
    .meta({ description: 'Earlier events are no longer available; request all displayed data again' }),
  audience: z.object({ clients: z.int() }).meta({ description: 'Number of clients of all replicas' }),
  refused: refusal.meta({ description: 'Sent for a message without an acknowledgement callback' }),
}

/** Messages of a client, by name. */
export const clientEvents = {
  subscribe: Subscription.nullish().meta({ description: 'Without any member, subscribes to everything' }),
  unsubscribe: z
    .union([z.object({ room: z.string() }), Subscription])
    .meta({ description: 'The room of the acknowledgement, or the same filter' }),
}

/** Acknowledgements. */
export const answers = {
  subscribed: z.object({ ok: z.literal(true), room: z.string(), version, seq }).meta({ description: 'Acknowledgement of subscribe' }),
  unsubscribed: z.object({ ok: z.literal(true), room: z.string() }).meta({ description: 'Acknowledgement of unsubscribe' }),
  rejected: refusal.meta({ description: 'Acknowledgement of subscribe and unsubscribe' }),
}

/** Content of an event. */
export type EventContent<Event extends keyof typeof serverEvents> = z.input<(typeof serverEvents)[Event]>
