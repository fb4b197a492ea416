import type { ExpressionTraits } from '../../../foundation/filter/expression-filter.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import type { ReplayableFeed } from '../../live/catch-up.ts'
import {
  ExpressionFeed,
  type FeedEvent,
  type FeedExpression,
  type FeedState,
  type WithdrawnExpression,
} from '../../live/expression-feed.ts'
import { GraphFeed } from '../../live/graph-feed.ts'
import { traitsOf } from '../../live/public-expression.ts'
import { frameOf } from './server-frames.ts'

/** A new or changed expression with its serialised frame, shared by all recipients. */
export interface ExpressionFrame {
  readonly kind: FeedExpression['kind']
  readonly seq: number
  readonly id: string
  readonly traits: ExpressionTraits
  readonly frame: Buffer
}

/** A withdrawal with its serialised frame. It also removes the expression from memory. */
export interface WithdrawalFrame extends WithdrawnExpression {
  readonly frame: Buffer
}

/** An event about an expression. */
export type StreamEvent = ExpressionFrame | WithdrawalFrame

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
      for await (const event of feed.after(async () => after, signal)) yield event.kind === 'lagged' ? event : framed(event)
    },
  }
}

function framed(event: FeedEvent): StreamEvent {
  const { kind, seq, id } = event
  if (kind === 'expression_withdrawn') return { kind, seq, id, frame: Buffer.from(frameOf(kind, seq, { id })) }
  const { expression, formerDomains } = event
  return {
    kind,
    seq,
    id,
    traits: { ...traitsOf(expression), formerDomains },
    frame: Buffer.from(JSON.stringify({ type: kind, seq, data: expression })),
  }
}
