import { expect, it } from 'vitest'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import {
  type ExplorationEvent,
  explorationEvents,
  onceIndexed,
  tileMeets,
} from '../../../subgraphs/exploration/events/exploration-events.ts'

const event = (position: number, kind: string): FeedEvent => ({
  ...{ type: 'event', topic: 'statistics', position, kind, id: '8/73/136' },
  ...{ at: new Date(0), format: 1 },
})

/** Returns the events that a map subscriber receives when it resumes after a position. */
async function received(
  after: number,
  published: readonly (FeedEvent | Lagged)[],
  meets?: (tile: string) => boolean,
): Promise<readonly ExplorationEvent[]> {
  const follow: EventFeed['follow'] = async function* () {
    for (const each of published) {
      yield each
      // the subscriber takes each event before the next one comes
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const feed = { follow } as unknown as EventFeed
  const signal = new AbortController().signal
  return Array.fromAsync(explorationEvents(feed, 'map_invalidated', { after, everyMs: 0, signal, ...(meets && { meets }) }))
}

it('reports the position to resume from to a client that resumes at an unknown position', async () => {
  expect(await received(900, [{ type: 'lagged', position: 12 }])).toEqual([{ position: 12, kind: 'lagged', tiles: ['0/0/0'] }])
})

it('numbers events after a gap by their own position', async () => {
  const published = [{ type: 'lagged', position: 12 } as const, event(13, 'statistics_changed'), event(14, 'map_invalidated')]
  expect((await received(3, published)).map(({ position, kind }) => [position, kind])).toEqual([
    [12, 'lagged'],
    [14, 'map_invalidated'],
  ])
})

it.each<[string, string, Parameters<typeof tileMeets>[1], boolean]>([
  ['a tile that the box contains', '8/73/136', { west: -90, south: -20, east: -60, north: 0 }, true],
  ['the whole map', '0/0/0', { west: 10, south: 10, east: 11, north: 11 }, true],
  ['a tile north of the box', '8/73/136', { west: -90, south: -40, east: -60, north: -20 }, false],
  ['a tile east of the box', '8/73/136', { west: -90, south: -20, east: -80, north: 0 }, false],
  ['a tile within a box that crosses the antimeridian', '2/0/1', { west: 170, south: 10, east: -170, north: 20 }, true],
  ['a tile outside a box that crosses the antimeridian', '2/1/1', { west: 170, south: 10, east: -170, north: 20 }, false],
])('compares %s with the box', (_, tile, box, meets) => {
  expect(tileMeets(tile, box)).toBe(meets)
})

it('omits events in other tiles, but reports lost events', async () => {
  const published = [event(13, 'map_invalidated'), { type: 'lagged', position: 14 } as const, event(15, 'map_invalidated')]
  expect((await received(3, published, () => false)).map(({ position, kind }) => [position, kind])).toEqual([[14, 'lagged']])
})

it('delays an event for words until the search index contains its change', async () => {
  const signal = AbortSignal.timeout(20_000)
  const events = async function* (): AsyncGenerator<ExplorationEvent> {
    yield { position: 1, kind: 'statistics_changed', tiles: [], at: new Date(2000) }
    yield { position: 2, kind: 'lagged', tiles: [] }
  }
  let reached = 1000
  const received: number[] = []
  const reading = (async () => {
    for await (const { position } of onceIndexed(events(), async () => new Date(reached), signal)) received.push(position)
  })()
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(received).toEqual([])
  reached = 2000
  await reading
  expect(received).toEqual([1, 2])
})
