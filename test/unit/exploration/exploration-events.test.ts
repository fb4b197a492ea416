import { expect, it } from 'vitest'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import { type ExplorationEvent, explorationEvents } from '../../../subgraphs/exploration/events/exploration-events.ts'

const event = (position: number, kind: string): FeedEvent => ({
  ...{ type: 'event', topic: 'exploration', position, kind, id: '8/73/136' },
  ...{ at: new Date(0), format: 1 },
})

/** Returns the events that a map subscriber receives when it resumes after a position. */
async function received(after: number, published: readonly (FeedEvent | Lagged)[]): Promise<readonly ExplorationEvent[]> {
  const follow: EventFeed['follow'] = async function* () {
    for (const each of published) {
      yield each
      // the subscriber takes each event before the next one comes
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const feed = { follow } as unknown as EventFeed
  const signal = new AbortController().signal
  return Array.fromAsync(explorationEvents(feed, 'map_invalidated', { after, everyMs: 0, signal }))
}

it('reports the position to resume from to a client that resumes at an unknown position', async () => {
  expect(await received(900, [{ type: 'lagged', position: 12 }])).toEqual([{ seq: 12, kind: 'lagged', tiles: ['0/0/0'] }])
})

it('numbers events after a gap by their own position', async () => {
  const published = [{ type: 'lagged', position: 12 } as const, event(13, 'statistics_changed'), event(14, 'map_invalidated')]
  expect((await received(3, published)).map(({ seq, kind }) => [seq, kind])).toEqual([
    [12, 'lagged'],
    [14, 'map_invalidated'],
  ])
})
