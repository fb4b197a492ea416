import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { type ExplorationEventKind, explorationTopic } from '../roll-ups/roll-up-state.ts'

export interface ExplorationEvent {
  readonly seq: number
  readonly kind: string
  /** for map_invalidated: tiles as "zoom/column/row" */
  readonly tiles: readonly string[]
}

/** the tile of the whole map */
const everywhere = '0/0/0'
const maxTiles = 200

/**
 * Yields the events of one kind in order; other kinds leave gaps in `seq`. Events that arrive within `everyMs`, or faster than they are
 * consumed, are merged into the last one, because only the current state matters.
 * @param after - the last sequence number received; undefined yields only new events
 */
export async function* explorationEvents(
  feed: EventFeed,
  kind: ExplorationEventKind,
  options: { readonly after: number | undefined; readonly everyMs: number; readonly signal: AbortSignal },
): AsyncGenerator<ExplorationEvent> {
  const { after, everyMs, signal } = options
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const from = after ?? (await feed.position(explorationTopic, signal))
  let waiting: ExplorationEvent | undefined
  let arrived = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const event of feed.follow(explorationTopic, from, until)) {
      if (event.type === 'event' && event.kind !== kind) continue
      const seq = event.position
      waiting =
        event.type === 'lagged' ? { seq, kind: 'lagged', tiles: [everywhere] } : joined(waiting, { seq, kind, tiles: event.id.split(' ') })
      arrived.resolve()
    }
  })().finally(() => arrived.resolve())
  try {
    while (!until.aborted) {
      await Promise.race([arrived.promise, reading])
      const event: ExplorationEvent | undefined = waiting
      if (event === undefined) {
        await reading
        return
      }
      waiting = undefined
      arrived = Promise.withResolvers<void>()
      yield event
      await pause(everyMs, until)
    }
  } finally {
    ended.abort()
    reading.catch(() => undefined)
  }
}

/** Merges two events; too many tiles become the whole map. */
function joined(before: ExplorationEvent | undefined, event: ExplorationEvent): ExplorationEvent {
  const tiles = [...new Set([...(before?.tiles ?? []), ...event.tiles])].filter((tile) => tile !== '')
  return { ...event, kind: before?.kind === 'lagged' ? 'lagged' : event.kind, tiles: tiles.length > maxTiles ? [everywhere] : tiles }
}
