import { z } from 'zod'
import type { LaggedEvent, Numbered } from './feed-event.ts'
import type { GraphFeed } from './graph-feed.ts'
import { expressionFields, type ShownExpression, shownExpression } from './public-expression.ts'

/** An expression that is new, or has changed. */
export interface FedExpression extends Numbered {
  readonly kind: 'expression' | 'expression_updated'
  readonly expression: ShownExpression
}

/** One that was withdrawn: which is all that is left of it. */
export interface WithdrawnExpression extends Numbered {
  readonly kind: 'expression_withdrawn'
  readonly id: string
}

/** What is told beside expressions that are new: those that have changed, those that were withdrawn. */
export interface FeedWish {
  readonly updates?: boolean
  readonly withdrawals?: boolean
}

export interface FeedState {
  /** of the last expression that was added or has changed */
  readonly seq: number
  /** ids of domains and sub-domains */
  readonly taxonomy: ReadonlySet<string>
}

const State = z.object({ state: z.object({ seq: z.int(), domains: z.array(z.object({ id: z.string() })) }) })
const Event = z.object({
  event: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('LAGGED'), seq: z.int() }),
    z.object({ kind: z.literal('ADDED'), seq: z.int(), expression: shownExpression }),
    z.object({ kind: z.literal('UPDATED'), seq: z.int(), expression: shownExpression }),
    z.object({ kind: z.literal('WITHDRAWN'), seq: z.int(), id: z.string() }),
  ]),
})

/** The stream of expressions in the graph, as every live channel tells of it. */
export class ExpressionFeed {
  readonly #graph: GraphFeed
  readonly #state: ReturnType<GraphFeed['prepare']>
  readonly #added: ReturnType<GraphFeed['prepare']>

  constructor(graph: GraphFeed, { updates = false, withdrawals = false }: FeedWish) {
    this.#graph = graph
    this.#state = graph.prepare('query LiveState { state: expressionStream { seq domains { id } } }')
    this.#added = graph.prepare(`subscription LiveExpressions($after: Int) {
      event: expressionAdded(updates: ${updates}, withdrawals: ${withdrawals}, after: $after) { seq kind id: withdrawnId expression { ${expressionFields} } }
    }`)
  }

  /** @throws {EngineUnavailable} */
  async state(signal: AbortSignal): Promise<FeedState> {
    const { state } = await this.#graph.query(this.#state, State, signal)
    return { seq: state.seq, taxonomy: new Set(state.domains.map(({ id }) => id)) }
  }

  /** Everything after a place, then what comes; ends with its signal. @param from - asked until it answers */
  async *after(
    from: (signal: AbortSignal) => Promise<number>,
    signal: AbortSignal,
  ): AsyncGenerator<FedExpression | WithdrawnExpression | LaggedEvent> {
    for await (const event of this.#graph.follow(this.#added, Event, from, signal)) {
      const { seq } = event
      if (event.kind === 'LAGGED') yield { kind: 'lagged', seq }
      else if (event.kind === 'WITHDRAWN') yield { kind: 'expression_withdrawn', seq, id: event.id }
      else yield { kind: event.kind === 'ADDED' ? 'expression' : 'expression_updated', seq, expression: event.expression }
    }
  }
}
