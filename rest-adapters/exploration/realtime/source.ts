import type { ReplayableFeed } from '../../live/catch-up.ts'
import type { FeedEvent } from '../../live/expression-feed.ts'

/** Source of the realtime channel. Its streams survive outages and end with their signal. */
export interface RealtimeSource extends ReplayableFeed<FeedEvent> {
  /** Yields changes of statistics, domains or map. */
  changes(signal: AbortSignal): AsyncIterable<ChangeEvent>
  /** oldest current version of statistics, domains and map */
  version(signal: AbortSignal): Promise<string>
  knowsDomain(id: string, signal: AbortSignal): Promise<boolean>
}

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

export type ChangeEvent =
  | { readonly kind: 'statistics'; readonly seq: number; readonly version: string; readonly statistics: unknown }
  | { readonly kind: 'domains'; readonly seq: number; readonly version: string }
  | { readonly kind: 'map'; readonly seq: number; readonly version: string; readonly tiles: readonly Tile[] }
