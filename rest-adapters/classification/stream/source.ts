import type { ExpressionTraits } from '../../../foundation/filter/expression-filter.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import type { ReplayableFeed } from '../../live/catch-up.ts'
import { ExpressionFeed, type FeedExpression, type FeedState, type WithdrawnExpression } from '../../live/expression-feed.ts'
import { GraphFeed } from '../../live/graph-feed.ts'
import { traitsOf } from '../../live/public-expression.ts'

/** A new or changed expression with its serialised frame, shared by all recipients. */
export interface ExpressionFrame {
  readonly kind: FeedExpression['kind']
  readonly seq: number
  readonly id: string
  readonly traits: ExpressionTraits
  readonly frame: Buffer
}

/** An event about an expression. A withdrawal has no frame: it removes the expression from memory. */
export type StreamEvent = ExpressionFrame | WithdrawnExpression

/** Source of events for /ws: one subscription of the executor for all clients, and one from an earlier position for resuming clients. */
export interface ExpressionSource extends ReplayableFeed<StreamEvent> {
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

function framed({ kind, seq, expression }: FeedExpression): ExpressionFrame {
  const frame = Buffer.from(JSON.stringify({ type: kind, seq, data: expression }))
  return { kind, seq, id: expression.id, traits: traitsOf(expression), frame }
}
