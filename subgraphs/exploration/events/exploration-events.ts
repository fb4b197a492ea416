import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { type BoundingBox, partsOfBoundingBox } from '../../../foundation/filter/bounding-box.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { type ExplorationEventKind, statisticsTopic } from '../roll-ups/roll-up-state.ts'

export interface ExplorationEvent {
  readonly position: number
  readonly kind: string
  /** for map_invalidated: tiles as "zoom/column/row" */
  readonly tiles: readonly string[]
  /** time of the event by the clock of the database; absent for lost events */
  readonly at?: Date
}

/** the tile of the whole map */
const everywhere = '0/0/0'
const maxTiles = 200

/**
 * Yields the events of one kind in order; other kinds leave gaps in `position`. Events that arrive within `everyMs`, or faster than they are
 * consumed, are merged into the last one, because only the current state matters.
 * @param after - the last position received; undefined yields only new events
 */
export async function* explorationEvents(
  feed: EventFeed,
  kind: ExplorationEventKind,
  options: {
    readonly after: number | undefined
    readonly everyMs: number
    readonly signal: AbortSignal
    /** drops other tiles, and events without any left */
    readonly meets?: (tile: string) => boolean
  },
): AsyncGenerator<ExplorationEvent> {
  const { after, everyMs, signal, meets = () => true } = options
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const from = after ?? (await feed.position(statisticsTopic, signal))
  let waiting: ExplorationEvent | undefined
  let arrived = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const event of feed.follow(statisticsTopic, from, until)) {
      if (event.type === 'event' && event.kind !== kind) continue
      const { position } = event
      if (event.type === 'lagged') waiting = { position, kind: 'lagged', tiles: [everywhere] }
      else {
        const tiles = event.id.split(' ').filter(meets)
        if (tiles.length === 0) continue
        waiting = joined(waiting, { position, kind, tiles, at: event.at })
      }
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

const indexPollMs = 300
/** as long as an event waits for a search index that is behind */
const maxIndexWaitMs = 10_000

/**
 * Delays events until the search index contains their changes, because a client then reads the figures of its words. Withdrawals and corrections
 * reach the index after the roll-ups.
 * @param reached - returns the moment that the index has reached
 */
export async function* onceIndexed(
  events: AsyncIterable<ExplorationEvent>,
  reached: () => Promise<Date>,
  signal: AbortSignal,
): AsyncGenerator<ExplorationEvent> {
  for await (const event of events) {
    const since = performance.now()
    const isIndexed = async (): Promise<boolean> => {
      const moment = await reached().catch(() => undefined)
      return moment !== undefined && (event.at === undefined || moment >= event.at)
    }
    while (!signal.aborted && !(await isIndexed()) && performance.now() - since < maxIndexWaitMs) await pause(indexPollMs, signal)
    yield event
  }
}

/** Merges two events; too many tiles become the whole map. */
function joined(before: ExplorationEvent | undefined, event: ExplorationEvent): ExplorationEvent {
  const tiles = [...new Set([...(before?.tiles ?? []), ...event.tiles])].filter((tile) => tile !== '')
  return { ...event, kind: before?.kind === 'lagged' ? 'lagged' : event.kind, tiles: tiles.length > maxTiles ? [everywhere] : tiles }
}

/** Returns whether a tile, `zoom/column/row`, meets a box. */
export function tileMeets(tile: string, box: BoundingBox): boolean {
  const [zoom = 0, column = 0, row = 0] = tile.split('/').map(Number)
  return partsOfBoundingBox(box).some(
    ({ west, south, east, north }) =>
      column >= columnOf(west, zoom) && column <= columnOf(east, zoom) && row >= rowOf(north, zoom) && row <= rowOf(south, zoom),
  )
}
