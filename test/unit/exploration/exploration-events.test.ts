import { expect, it } from 'vitest'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import { type ExplorationEvent, explorationEvents } from '../../../subgraphs/exploration/events/exploration-events.ts'

const event = (position: number, kind: string): FeedEvent => ({
  ...{ type: 'event', topic: 'exploration', position, kind, id: '8/73/136' },
  ...{ at: new Date(0), format: 1 },
})

/** What a subscriber to the map hears, who says that it has seen so many. */
async function heard(after: number, told: readonly (FeedEvent | Lagged)[]): Promise<readonly ExplorationEvent[]> {
  const follow: EventFeed['follow'] = async function* () {
    for (const each of told) {
      yield each
      // each is taken before the next one comes
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const feed = { follow } as unknown as EventFeed
  const signal = new AbortController().signal
  return Array.fromAsync(explorationEvents(feed, 'map_invalidated', { after, everyMs: 0, signal }))
}

it('tells whoever comes from a place that there is not where to go on from', async () => {
  expect(await heard(900, [{ type: 'lagged', position: 12 }])).toEqual([{ seq: 12, kind: 'lagged', tiles: ['0/0/0'] }])
})

it('numbers what comes after a gap by its own place', async () => {
  const told = [{ type: 'lagged', position: 12 } as const, event(13, 'statistics_changed'), event(14, 'map_invalidated')]
  expect((await heard(3, told)).map(({ seq, kind }) => [seq, kind])).toEqual([
    [12, 'lagged'],
    [14, 'map_invalidated'],
  ])
})
