import { z } from 'zod'
import type { LaggedEvent, Numbered } from './feed-event.ts'
import type { GraphFeed } from './graph-feed.ts'
import { expressionFields, type ShownExpression, shownExpression } from './public-expression.ts'

/** An expression that is new, or has changed. */
export interface FedExpression extends Numbered {
  readonly kind: 'expression' | 'expression_updated'
  readonly expression: ShownExpression
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
  ]),
})

/** The stream of expressions in the graph, as every live channel tells of it. */
export class ExpressionFeed {
  readonly #graph: GraphFeed
  readonly #state: ReturnType<GraphFeed['prepare']>
  readonly #added: ReturnType<GraphFeed['prepare']>

  /** @param updates - whether expressions that have changed are told too */
  constructor(graph: GraphFeed, updates: boolean) {
    this.#graph = graph
    this.#state = graph.prepare('query LiveState { state: expressionStream { seq domains { id } } }')
    this.#added = graph.prepare(`subscription LiveExpressions($after: Int) {
      event: expressionAdded(updates: ${updates}, after: $after) { seq kind expression { ${expressionFields} } }
    }`)
  }

  /** @throws {EngineUnavailable} */
  async state(signal: AbortSignal): Promise<FeedState> {
    const { state } = await this.#graph.query(this.#state, State, signal)
    return { seq: state.seq, taxonomy: new Set(state.domains.map(({ id }) => id)) }
  }

  /** Everything after a place, then what comes; ends with its signal. @param from - asked until it answers */
  async *after(from: (signal: AbortSignal) => Promise<number>, signal: AbortSignal): AsyncGenerator<FedExpression | LaggedEvent> {
    for await (const event of this.#graph.follow(this.#added, Event, from, signal))
      yield event.kind === 'LAGGED'
        ? { kind: 'lagged', seq: event.seq }
        : { kind: event.kind === 'ADDED' ? 'expression' : 'expression_updated', seq: event.seq, expression: event.expression }
  }
}
