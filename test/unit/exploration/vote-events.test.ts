import { expect, it } from 'vitest'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { voteEvents } from '../../../subgraphs/exploration/events/vote-events.ts'
import { followedIds } from '../../../subgraphs/exploration/graphql/exploration.resolver.ts'

const event = (position: number, kind: string, id: string): FeedEvent => ({
  ...{ type: 'event', topic: 'votes', position, kind, id },
  ...{ at: new Date(0), format: 1 },
})
const voted = (position: number, id: string): FeedEvent => event(position, 'expression_voted', id)

/** The events that a subscriber receives of these in the feed: all but the first arrive within the interval after it. */
async function received(fed: readonly (FeedEvent | Lagged)[], wanted?: ReadonlySet<string>): Promise<readonly unknown[]> {
  const follow: EventFeed['follow'] = async function* () {
    yield* fed
  }
  const feed = { follow } as unknown as EventFeed
  const events = await Array.fromAsync(voteEvents(feed, wanted, { after: 0, everyMs: 50, signal: new AbortController().signal }))
  return events.map(({ position, kind, expressionId }) => [position, kind, expressionId])
}

it('merges the votes on one expression, in order of the last one', async () => {
  const fed = [voted(1, 'a'), voted(2, 'a'), voted(3, 'b'), event(4, 'expression_added', 'c'), voted(5, 'a')]
  expect(await received(fed)).toEqual([
    [1, 'changed', 'a'],
    [3, 'changed', 'b'],
    [5, 'changed', 'a'],
  ])
})

it('sends the events of the wanted expressions, and reports lost ones', async () => {
  const fed = [{ type: 'lagged', position: 12 } as const, voted(13, 'a'), voted(14, 'b')]
  expect(await received(fed, new Set(['b']))).toEqual([
    [12, 'lagged', null],
    [14, 'changed', 'b'],
  ])
})

it('accepts at most 1,000 ids, in any case', () => {
  expect(followedIds(undefined)).toBeUndefined()
  expect(followedIds(['A', 'a'])).toEqual(new Set(['a']))
  expect(() => followedIds(Array.from({ length: 1001 }, String))).toThrow(InvalidInput)
})
