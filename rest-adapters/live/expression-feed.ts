import { z } from 'zod'
import type { ExpressionEvent, LaggedEvent } from './feed-event.ts'
import type { GraphFeed } from './graph-feed.ts'
import { expressionFields, type ShownExpression, shownExpression } from './public-expression.ts'

/** A new or changed expression. */
export interface FeedExpression extends ExpressionEvent {
  readonly kind: 'expression' | 'expression_updated'
  readonly expression: ShownExpression
  /** ids of retired domains that those of the expression replace */
  readonly formerDomains: readonly string[]
}

/** A withdrawn expression, of which only the id remains. */
export interface WithdrawnExpression extends ExpressionEvent {
  readonly kind: 'expression_withdrawn'
}

/** An event of the feed that channels pass on. */
export type FeedEvent = FeedExpression | WithdrawnExpression

/** Optional events besides new expressions: changes and withdrawals. */
export interface FeedOptions {
  readonly updates?: boolean
  readonly withdrawals?: boolean
}

export interface FeedState {
  /** seq of the last added or changed expression */
  readonly seq: number
  /** ids of domains and sub-domains */
  readonly taxonomy: ReadonlySet<string>
}

const formerDomains = z.array(z.object({ id: z.string() }).transform(({ id }) => id))
const State = z.object({ state: z.object({ seq: z.int(), domains: z.array(z.object({ id: z.string() })) }) })
const Event = z.object({
  event: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('LAGGED'), seq: z.int() }),
    z.object({ kind: z.literal('ADDED'), seq: z.int(), expression: shownExpression, formerDomains }),
    z.object({ kind: z.literal('UPDATED'), seq: z.int(), expression: shownExpression, formerDomains }),
    z.object({ kind: z.literal('WITHDRAWN'), seq: z.int(), id: z.string() }),
  ]),
})

/** The stream of expressions in the graph, shared by live channels. */
export class ExpressionFeed {
  readonly #graph: GraphFeed
  readonly #state: ReturnType<GraphFeed['prepare']>
  readonly #added: ReturnType<GraphFeed['prepare']>

  constructor(graph: GraphFeed, { updates = false, withdrawals = false }: FeedOptions) {
    this.#graph = graph
    this.#state = graph.prepare('query LiveState { state: expressionStream { seq: position domains { id } } }')
    this.#added = graph.prepare(`subscription LiveExpressions($after: SafeInt) {
      event: expressionAdded(updates: ${updates}, withdrawals: ${withdrawals}, afterPosition: $after) { seq: position kind id: withdrawnId formerDomains { id } expression { ${expressionFields} } }
    }`)
  }

  /** @throws {EngineUnavailable} */
  async state(signal: AbortSignal): Promise<FeedState> {
    const { state } = await this.#graph.query(this.#state, State, signal)
    return { seq: state.seq, taxonomy: new Set(state.domains.map(({ id }) => id)) }
  }

  /** Yields events after a position, then live ones; ends with its signal. @param from - retried until it succeeds */
  async *after(from: (signal: AbortSignal) => Promise<number>, signal: AbortSignal): AsyncGenerator<FeedEvent | LaggedEvent> {
    for await (const event of this.#graph.follow(this.#added, Event, from, signal)) {
      const { seq } = event
      if (event.kind === 'LAGGED') yield { kind: 'lagged', seq }
      else if (event.kind === 'WITHDRAWN') yield { kind: 'expression_withdrawn', seq, id: event.id }
      else {
        const { kind, expression, formerDomains } = event
        yield { kind: kind === 'ADDED' ? 'expression' : 'expression_updated', seq, id: expression.id, expression, formerDomains }
      }
    }
  }
}
