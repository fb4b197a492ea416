import type { ReplayableFeed } from '../../live/catch-up.ts'
import type { WithdrawnExpression } from '../../live/expression-feed.ts'
import type { DescribedExpression } from '../../live/public-expression.ts'

/** Source of the realtime channel. Its streams survive outages and end with their signal. */
export interface RealtimeSource extends ReplayableFeed<StreamedEvent> {
  /** Yields changes of statistics, domains or map. */
  changes(signal: AbortSignal): AsyncIterable<ChangeEvent>
  /** oldest current version of statistics, domains and map */
  version(signal: AbortSignal): Promise<string>
  knowsDomain(id: string, signal: AbortSignal): Promise<boolean>
}

/** Public part of an expression with REST names. */
export interface PublicExpression extends DescribedExpression {
  readonly id: string
}

export interface ExpressionEvent {
  readonly kind: 'expression'
  readonly seq: number
  readonly id: string
  readonly expression: PublicExpression
}

/** An event about one expression. */
export type StreamedEvent = ExpressionEvent | WithdrawnExpression

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

export type ChangeEvent =
  | { readonly kind: 'statistics'; readonly seq: number; readonly version: string; readonly statistics: unknown }
  | { readonly kind: 'domains'; readonly seq: number; readonly version: string }
  | { readonly kind: 'map'; readonly seq: number; readonly version: string; readonly tiles: readonly Tile[] }
