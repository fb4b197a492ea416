import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { type ExplorationEventKind, explorationTopic } from '../roll-ups/roll-up-state.ts'

export interface ExplorationEvent {
  readonly seq: number
  readonly kind: string
  /** of map_invalidated: tiles as "zoom/column/row" */
  readonly tiles: readonly string[]
}

/** the tile that is the whole map */
const everywhere = '0/0/0'
const maxTiles = 200

/**
 * What happens to the roll-ups, of one kind, in order; other kinds leave gaps in `seq`. Several events become the last of them when they come
 * within `everyMs`, or faster than they are taken: it is the state that counts.
 * @param after - the last number seen; undefined: only what comes from now on
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

/** Too many tiles are the whole map. */
function joined(before: ExplorationEvent | undefined, event: ExplorationEvent): ExplorationEvent {
  const tiles = [...new Set([...(before?.tiles ?? []), ...event.tiles])].filter((tile) => tile !== '')
  return { ...event, kind: before?.kind === 'lagged' ? 'lagged' : event.kind, tiles: tiles.length > maxTiles ? [everywhere] : tiles }
}
