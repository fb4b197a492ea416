import type { Past } from '../../live/catch-up.ts'
import type { WithdrawnExpression } from '../../live/expression-feed.ts'
import type { DescribedExpression } from '../../live/public-expression.ts'

/** What the realtime channel is fed with. Streams outlive what is away for a while, and end only with their signal. */
export interface RealtimeSource extends Past<ToldEvent> {
  /** That statistics, domains or the map have changed. */
  changes(signal: AbortSignal): AsyncIterable<ChangeEvent>
  /** the version of statistics, domains and map that they have now, at least */
  version(signal: AbortSignal): Promise<string>
  knowsDomain(id: string, signal: AbortSignal): Promise<boolean>
}

/** Public part of an expression, as REST spells it. */
export interface PublicExpression extends DescribedExpression {
  readonly id: string
}

export interface ExpressionEvent {
  readonly kind: 'expression'
  readonly seq: number
  readonly id: string
  readonly expression: PublicExpression
}

/** What is told of one expression. */
export type ToldEvent = ExpressionEvent | WithdrawnExpression

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

export type ChangeEvent =
  | { readonly kind: 'statistics'; readonly seq: number; readonly version: string; readonly statistics: unknown }
  | { readonly kind: 'domains'; readonly seq: number; readonly version: string }
  | { readonly kind: 'map'; readonly seq: number; readonly version: string; readonly tiles: readonly Tile[] }
