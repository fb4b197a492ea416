import { z } from 'zod'
import { ExpressionAnswer } from '../../live/public-expression.ts'
import { StatsAnswer } from '../responses.ts'
import { Subscription } from './filter.ts'

const seq = z
  .int()
  .meta({ description: 'the place in the change log, or, of what is no expression, a place of its own; the same in every replica' })
const version = z.string().meta({ description: 'of statistics, domains and map' })
const { sentiment } = StatsAnswer.shape
const statistics = StatsAnswer.omit({ sentiment: true })
  .extend({ version, sentiment: sentiment.omit({ history: true }) })
  .meta({ id: 'ToldStatistics', description: 'as GET /api/v1/stats answers, without the history' })
const expression = ExpressionAnswer.omit({ created: true }).meta({
  id: 'ToldExpression',
  description: 'as it is answered when it is said, without its author',
})
const refusal = z.object({ ok: z.literal(false), detail: z.string(), code: z.string().optional(), retryAfterMs: z.number().optional() })

/** What the realtime channel tells its clients, by event. */
export const serverEvents = {
  'expression:created': z
    .object({ seq, version, expression })
    .meta({ description: 'once to whom its filters let it, at least once in all: the id tells repetitions' }),
  'expression:withdrawn': z.object({ seq, version, id: z.string() }).meta({
    description:
      'to everybody, whatever their filters let them: nobody knows any longer what it said. It was told before or it was not; it is no more',
  }),
  'stats:updated': z.object({ seq, version, statistics }).meta({ description: 'at most once a second' }),
  'domains:updated': z.object({ seq, version }).meta({ description: 'at most once a second: read GET /api/v1/domains again' }),
  'map:invalidated': z
    .object({ seq, version, tiles: z.array(z.object({ z: z.int(), x: z.int(), y: z.int() })) })
    .meta({ description: 'at most once a second: read these parts of the map again' }),
  lagged: z
    .object({ seq, dropped: z.null() })
    .meta({ description: 'some events before this one can no longer be told; read again what you show' }),
  audience: z.object({ clients: z.int() }).meta({ description: 'clients of all replicas together' }),
  refused: refusal.meta({ description: 'to a message that asked for no acknowledgement' }),
}

/** What a client sends, by event. */
export const clientEvents = {
  subscribe: Subscription.nullish().meta({ description: 'nothing at all asks for everything' }),
  unsubscribe: z
    .union([z.object({ room: z.string() }), Subscription])
    .meta({ description: 'the room as it was answered, or the same filter' }),
}

/** What acknowledgements say. */
export const answers = {
  subscribed: z.object({ ok: z.literal(true), room: z.string(), version, seq }).meta({ description: 'of subscribe' }),
  unsubscribed: z.object({ ok: z.literal(true), room: z.string() }).meta({ description: 'of unsubscribe' }),
  notDone: refusal.meta({ description: 'of either' }),
}

/** What an event holds. */
export type EventContent<Event extends keyof typeof serverEvents> = z.input<(typeof serverEvents)[Event]>
