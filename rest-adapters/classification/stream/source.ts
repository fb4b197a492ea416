import type { ExpressionTraits } from '../../../foundation/filter/expression-filter.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Executor } from '../../../gateway/executor.ts'
import type { Past } from '../../live/catch-up.ts'
import { ExpressionFeed, type FedExpression, type FeedState, type WithdrawnExpression } from '../../live/expression-feed.ts'
import { GraphFeed } from '../../live/graph-feed.ts'
import { traitsOf } from '../../live/public-expression.ts'

/** An expression that is new or has changed, with its frame: made once, sent to all who want it. */
export interface ExpressionFrame {
  readonly kind: FedExpression['kind']
  readonly seq: number
  readonly id: string
  readonly traits: ExpressionTraits
  readonly frame: Buffer
}

/** What became of an expression. No frame tells a withdrawal: it takes out of memory what was said. */
export type StreamEvent = ExpressionFrame | WithdrawnExpression

/** Where /ws has its events from: one subscription of the executor for all clients, and the same from an earlier place for one that comes back. */
export interface ExpressionSource extends Past<StreamEvent> {
  /** @throws {EngineUnavailable} */
  state(signal: AbortSignal): Promise<FeedState>
}

export function expressionSource(executor: Executor, log: Log): ExpressionSource {
  const feed = new ExpressionFeed(new GraphFeed(executor, 'stream of expressions', log), { updates: true, withdrawals: true })
  return {
    state: (signal) => feed.state(signal),
    position: async (signal) => (await feed.state(signal)).seq,
    async *expressions(after, signal) {
      for await (const event of feed.after(async () => after, signal)) yield 'expression' in event ? framed(event) : event
    },
  }
}

function framed({ kind, seq, expression }: FedExpression): ExpressionFrame {
  const frame = Buffer.from(JSON.stringify({ type: kind, seq, data: expression }))
  return { kind, seq, id: expression.id, traits: traitsOf(expression), frame }
}
