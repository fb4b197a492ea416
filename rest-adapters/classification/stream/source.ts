import type { Executor } from '../../../gateway/executor.ts'
import type { ExpressionTraits } from '../../../subgraphs/foundation/filter/expression-filter.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { ExpressionFeed, type FedExpression, type FeedState } from '../../live/expression-feed.ts'
import type { LaggedEvent } from '../../live/feed-event.ts'
import { GraphFeed } from '../../live/graph-feed.ts'
import { traitsOf } from '../../live/public-expression.ts'

/** An expression that is new or has changed, with its frame: made once, sent to all who want it. */
export interface ExpressionFrame {
  readonly kind: FedExpression['kind']
  readonly seq: number
  readonly traits: ExpressionTraits
  readonly frame: Buffer
}

/** Where /ws has its events from: one subscription of the executor for all clients, and the same from an earlier place for one that comes back. */
export interface ExpressionSource {
  /** @throws {EngineUnavailable} */
  state(signal: AbortSignal): Promise<FeedState>
  /** Everything after a place, then what comes; goes on after an interruption, and ends with its signal. */
  expressions(after: number, signal: AbortSignal): AsyncIterable<ExpressionFrame | LaggedEvent>
}

export function expressionSource(executor: Executor, log: Log): ExpressionSource {
  const feed = new ExpressionFeed(new GraphFeed(executor, 'stream of expressions', log), true)
  return {
    state: (signal) => feed.state(signal),
    async *expressions(after, signal) {
      for await (const event of feed.after(async () => after, signal)) yield event.kind === 'lagged' ? event : framed(event)
    },
  }
}

function framed({ kind, seq, expression }: FedExpression): ExpressionFrame {
  return { kind, seq, traits: traitsOf(expression), frame: Buffer.from(JSON.stringify({ type: kind, seq, data: expression })) }
}
