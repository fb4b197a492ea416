import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Executor } from '../../../gateway/executor.ts'
import { requestContext } from '../../../gateway/request-context.ts'
import type { ExpressionTraits } from '../../../subgraphs/foundation/expression-filter.ts'
import { EngineUnavailable, messageOf } from '../../../subgraphs/foundation/fault.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { anonymous } from '../../../subgraphs/foundation/principal.ts'
import type { LaggedEvent } from '../../exploration/realtime/source.ts'
import { expressionFields, type ShownExpression, shownExpression } from '../expression.ts'

/** An expression that is new or has changed, with its frame: made once, sent to all who want it. */
export interface ExpressionFrame {
  readonly kind: 'expression' | 'expression_updated'
  readonly seq: number
  readonly traits: ExpressionTraits
  readonly frame: Buffer
}

export interface StreamState {
  readonly seq: number
  readonly taxonomy: ReadonlySet<string>
}

/** Where /ws has its events from: one subscription of the executor for all clients, and the same from an earlier place for one that comes back. */
export interface ExpressionSource {
  /** @throws {EngineUnavailable} */
  state(signal: AbortSignal): Promise<StreamState>
  /** Everything after a place, then what comes; goes on after an interruption, and ends with its signal. */
  expressions(after: number, signal: AbortSignal): AsyncIterable<ExpressionFrame | LaggedEvent>
}

const State = z.object({ state: z.object({ seq: z.int(), taxonomy: z.array(z.string()) }) })
const Event = z.object({
  event: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('LAGGED'), seq: z.int() }),
    z.object({ kind: z.literal('ADDED'), seq: z.int(), expression: shownExpression }),
    z.object({ kind: z.literal('UPDATED'), seq: z.int(), expression: shownExpression }),
  ]),
})
const questionMs = 5000
const retryMs = 1000

export function expressionSource(executor: Executor, log: Log): ExpressionSource {
  const asking = executor.prepare('query RestStreamState { state: expressionStream { seq taxonomy } }')
  const following = executor.prepare(`subscription RestStream($after: Int!) {
    event: expressionAdded(updates: true, after: $after) { seq kind expression { ${expressionFields} } }
  }`)
  const contextOf = (timeoutMs: number, clientGone: AbortSignal) =>
    requestContext({ principal: anonymous, requestId: randomUUID(), log, timeoutMs, clientGone })

  return {
    async state(signal) {
      using context = contextOf(questionMs, signal)
      const { data, errors } = await executor.execute(asking, {}, context)
      const found = State.safeParse(data)
      if (!found.success) throw new EngineUnavailable('stream of expressions', errors?.[0])
      return { seq: found.data.state.seq, taxonomy: new Set(found.data.state.taxonomy) }
    },
    async *expressions(after, signal) {
      let seen = after
      let complained = false
      for (; !signal.aborted; await pause(retryMs, signal)) {
        try {
          using context = contextOf(Number.POSITIVE_INFINITY, signal)
          const events = await executor.subscribe(following, { after: seen }, context)
          if (!(Symbol.asyncIterator in events)) throw events.errors?.[0] ?? new Error('refused')
          for await (const { data, errors } of events) {
            if (errors !== undefined) throw errors[0]
            const { event } = Event.parse(data)
            seen = event.seq
            complained = false
            yield event.kind === 'LAGGED' ? { kind: 'lagged', seq: event.seq } : framed(event)
          }
        } catch (error) {
          if (!complained && !signal.aborted) log.warn({ reason: messageOf(error) }, 'the stream of expressions was interrupted; trying on')
          complained = true
        }
      }
    },
  }
}

interface Told {
  readonly kind: 'ADDED' | 'UPDATED'
  readonly seq: number
  readonly expression: ShownExpression
}

function framed({ kind, seq, expression }: Told): ExpressionFrame {
  const { classification, sentiment, lang, location } = expression
  const type = kind === 'ADDED' ? 'expression' : 'expression_updated'
  return {
    kind: type,
    seq,
    traits: {
      domain: classification?.domain?.id ?? null,
      subDomain: classification?.sub_domain?.id ?? null,
      sentiment: sentiment?.label ?? null,
      lang: lang?.code ?? null,
      position: location,
    },
    frame: Buffer.from(JSON.stringify({ type, seq, data: expression })),
  }
}
