import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventFeed, FeedEvent, Lagged } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'

export interface FeedsUnderTest {
  /** in two processes of a platform; both keep the latest 50 events */
  readonly here: EventFeed
  readonly there: EventFeed
  /** another process, which polls only when it is notified */
  readonly attentive: EventFeed
  /** the same table without announcements */
  readonly silent: EventFeed
  readonly database: Database
  readonly close: () => Promise<void>
}

export const windowOfTests = 50

export function eventFeedContract(name: string, openFeeds: () => Promise<FeedsUnderTest>): void {
  describe(`event feed: ${name}`, () => {
    let feeds: FeedsUnderTest
    beforeAll(async () => {
      feeds = await openFeeds()
    })
    afterAll(() => feeds.close())

    const happen = async (topic: string, ids: readonly string[], feed = feeds.here): Promise<number> => {
      const position = await feeds.database.transaction((tx) =>
        feed.append(
          tx,
          topic,
          ids.map((id) => ({ kind: 'done', id })),
        ),
      )
      feed.announce(topic, position)
      return position
    }
    /** returns the events that a follower receives, until there are `enough` */
    const gather = async (feed: EventFeed, topic: string, after: number, enough: number, limitMs = 60_000) => {
      const received: (FeedEvent | Lagged)[] = []
      const signal = AbortSignal.timeout(limitMs)
      for await (const event of feed.follow(topic, after, signal)) {
        received.push(event)
        if (received.length >= enough) break
      }
      return received
    }
    /** returns the events that a follower receives, until it is disposed */
    const follow = (feed: EventFeed, topic: string, after: number) => {
      const received: (FeedEvent | Lagged)[] = []
      const over = new AbortController()
      const following = (async () => {
        for await (const event of feed.follow(topic, after, over.signal)) received.push(event)
      })()
      return {
        received,
        async [Symbol.asyncDispose]() {
          over.abort()
          await following
        },
      }
    }
    const positions = (events: readonly (FeedEvent | Lagged)[]) =>
      events.map((event) => (event.type === 'event' ? event.position : event.type))

    it('counts from 1 in commit order, and notifies other processes, which need not poll', async () => {
      const topic = randomUUID()
      expect(await feeds.there.position(topic, AbortSignal.timeout(60_000))).toBe(0)
      expect(await happen(topic, ['a', 'b'])).toBe(2)
      await using follower = follow(feeds.attentive, topic, 0)
      await expect.poll(() => positions(follower.received)).toEqual([1, 2])
      expect(await happen(topic, ['c'])).toBe(3)
      // repeated until both have their connections, for which their starts wait 2 s at most
      const again = () => {
        feeds.here.announce(topic, 3)
        return positions(follower.received)
      }
      await expect.poll(again).toEqual([1, 2, 3])
      expect(await happen(topic, ['d'])).toBe(4)
      await expect.poll(() => positions(follower.received)).toEqual([1, 2, 3, 4])
      expect(follower.received).toMatchObject([
        { type: 'event', topic, position: 1, kind: 'done', id: 'a' },
        { position: 2, id: 'b' },
        { position: 3, id: 'c' },
        { position: 4, id: 'd', at: expect.any(Date) },
      ])
      expect(await feeds.there.position(topic, AbortSignal.timeout(60_000))).toBe(4)
    })

    it('has no gap and no duplicate for a follower while many transactions commit and some roll back', async () => {
      const topic = randomUUID()
      const followers = [feeds.here, feeds.there, feeds.there].map((feed) => gather(feed, topic, 0, 120))
      const committed: string[] = []
      const work = async (worker: number): Promise<void> => {
        for (let round = 0; round < 12; round++) {
          const ids = [`${worker}.${round}.a`, `${worker}.${round}.b`]
          const fails = round % 6 === 5
          await feeds.database
            .transaction(async (tx) => {
              const position = await feeds.here.append(
                tx,
                topic,
                ids.map((id) => ({ kind: 'done', id })),
              )
              await sleep(Math.random() * 5)
              if (fails) throw new Error('rolled back')
              return position
            })
            .then(
              (position) => {
                committed.push(...ids)
                feeds.here.announce(topic, position)
              },
              (error: Error) => expect(error.message).toBe('rolled back'),
            )
        }
      }
      await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)))
      for (const events of await Promise.all(followers)) {
        expect(positions(events)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
        expect(events.map((event) => (event.type === 'event' ? event.id : '')).sort()).toEqual(committed.sort())
      }
    })

    it('resumes after any position', async () => {
      const topic = randomUUID()
      await happen(topic, ['a', 'b', 'c', 'd'])
      expect(positions(await gather(feeds.there, topic, 2, 2))).toEqual([3, 4])
    })

    it('reaches followers without an announcement after a second', async () => {
      const topic = randomUUID()
      const following = gather(feeds.silent, topic, 0, 1)
      await sleep(200)
      await happen(topic, ['unheard'])
      expect(await following).toMatchObject([{ id: 'unheard' }])
    })

    it('reports lagged first after pruned events, then the remaining events', async () => {
      const topic = randomUUID()
      await happen(
        topic,
        Array.from({ length: 70 }, (_, index) => `${index}`),
      )
      await feeds.here.prune()
      const events = await gather(feeds.there, topic, 5, windowOfTests + 1)
      expect(events[0]).toEqual({ type: 'lagged', position: 20 })
      expect(positions(events)).toEqual(['lagged', ...Array.from({ length: windowOfTests }, (_, index) => index + 21)])
      expect(positions(await gather(feeds.there, topic, 20, 1))).toEqual([21])
    })

    it('reports lagged for a position that the topic never had, and continues from its end', async () => {
      const topic = randomUUID()
      await happen(topic, ['a'])
      await using follower = follow(feeds.there, topic, 900)
      await expect.poll(() => follower.received).toEqual([{ type: 'lagged', position: 1 }])
      await happen(topic, ['b'])
      await expect.poll(() => positions(follower.received)).toEqual(['lagged', 2])
    })

    it('retains events that a named follower has not read, and moves its cursor only forward and with its transaction', async () => {
      const { here, database } = feeds
      const topic = randomUUID()
      await happen(
        topic,
        Array.from({ length: 80 }, (_, index) => `${index}`),
      )
      expect(await here.readCursor('roll-ups', topic)).toBe(0)
      await database.transaction((tx) => here.advance(tx, 'roll-ups', topic, 10))
      await here.prune()
      expect(positions(await gather(here, topic, 10, 1))).toEqual([11])
      const failing = database.transaction(async (tx) => {
        await here.advance(tx, 'roll-ups', topic, 60)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await here.readCursor('roll-ups', topic)).toBe(10)
      await database.transaction((tx) => here.advance(tx, 'roll-ups', topic, 70))
      await database.transaction((tx) => here.advance(tx, 'roll-ups', topic, 40))
      expect(await here.readCursor('roll-ups', topic)).toBe(70)
      await here.prune()
      expect(positions(await gather(here, topic, 10, 2))).toEqual(['lagged', 31])
    })

    it('retains the details of events until every named follower has passed them', async () => {
      const { here, database } = feeds
      const topic = randomUUID()
      await database.transaction(async (tx) => {
        await here.advance(tx, 'roll-ups', topic, 0)
        await here.append(tx, topic, [
          { kind: 'done', id: 'a', detail: '{"x": 1}' },
          { kind: 'done', id: 'b' },
          { kind: 'done', id: 'c', detail: 'é"' },
        ])
      })
      const details = (after: number, upTo: number) => database.transaction((tx) => here.detailsOf(tx, topic, after, upTo))
      const [first, second, third] = [
        { id: 'a', detail: '{"x": 1}' },
        { id: 'b', detail: null },
        { id: 'c', detail: 'é"' },
      ]
      await here.prune()
      expect(await details(0, 3)).toEqual([first, second, third])
      expect(await details(1, 2)).toEqual([second])
      await database.transaction((tx) => here.advance(tx, 'roll-ups', topic, 2))
      await here.prune()
      expect(await details(0, 3)).toEqual([{ ...first, detail: null }, second, third])
    })

    it('appends above a position', async () => {
      const { here, database } = feeds
      const topic = randomUUID()
      const append = (above?: number) =>
        database.transaction((tx) =>
          here.append(
            tx,
            topic,
            [
              { kind: 'done', id: 'a' },
              { kind: 'done', id: 'b' },
            ],
            above,
          ),
        )
      expect([await append(40), await append(7), await append(), await append(100)]).toEqual([42, 44, 46, 102])
      expect(positions(await gather(here, topic, 40, 4))).toEqual([41, 42, 43, 44])
    })

    it('removes a follower, which may then start at an earlier position', async () => {
      const { here, database } = feeds
      const topic = randomUUID()
      await happen(topic, ['a', 'b', 'c'])
      await database.transaction((tx) => here.advance(tx, 'roll-ups', topic, 3))
      await database.transaction(async (tx) => {
        await here.forgetCursor(tx, 'roll-ups', topic)
        await here.advance(tx, 'roll-ups', topic, 1)
      })
      expect(await here.readCursor('roll-ups', topic)).toBe(1)
    })

    it('returns the ids with events after a position, each once, in the snapshot of the transaction', async () => {
      const { here, database } = feeds
      const topic = randomUUID()
      await happen(topic, ['before', 'b', 'a', 'b'])
      const ids = await database.transaction(async (tx) => {
        await here.append(tx, topic, [{ kind: 'else', id: 'c' }])
        return [await here.idsSince(tx, topic, 1, ['done']), await here.idsSince(tx, topic, 1, ['else', 'done'])]
      })
      expect(ids.map((each) => [...each].sort())).toEqual([
        ['a', 'b'],
        ['a', 'b', 'c'],
      ])
    })

    describe('a batch follower', () => {
      const quick = { gatherMs: 20, idleMs: 50, retryMs: 10, maxEvents: 10, onError: () => undefined }
      const many = Array.from({ length: 25 }, (_, n) => `${n}`)

      it('receives each event once, in order, in batches of limited size', async () => {
        const { here, there } = feeds
        const topic = randomUUID()
        await happen(topic, many)
        const batches: number[][] = []
        const late = sleep(100).then(() => happen(topic, ['late'], here))
        const outcome = await followInBatches(
          there,
          {
            ...quick,
            topic,
            begin: async () => 3,
            async take({ events }) {
              batches.push(events.map(({ position }) => position))
              return events.at(-1)?.position === 26 ? 'seen' : undefined
            },
          },
          AbortSignal.timeout(60_000),
        )
        await late
        expect(outcome).toBe('seen')
        expect(batches.flat()).toEqual(Array.from({ length: 23 }, (_, n) => n + 4))
        for (const { length } of batches) expect(length).toBeLessThanOrEqual(10)
      })

      it('processes each event exactly once despite failures, if position and work share a transaction', async () => {
        const { here, database } = feeds
        const topic = randomUUID()
        await happen(topic, many)
        const startPositions: number[] = []
        let tries = 0
        await database.orm.execute(sql`create table if not exists taken (topic text, id text)`)
        await followInBatches(
          here,
          {
            ...quick,
            topic,
            async begin() {
              startPositions.push(await here.readCursor('taker', topic))
              return startPositions.at(-1) ?? 0
            },
            async take({ events }) {
              const last = events.at(-1)?.position ?? 0
              await database.transaction(async (tx) => {
                for (const { id } of events) await tx.execute(sql`insert into taken values (${topic}, ${id})`)
                if (++tries % 2 === 0) throw new Error('interrupted')
                await here.advance(tx, 'taker', topic, last)
              })
              return last === 25 ? 'done' : undefined
            },
          },
          AbortSignal.timeout(60_000),
        )
        const { rows } = await database.orm.execute<{ id: string }>(sql`select id from taken where topic = ${topic}`)
        expect(rows.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(many.map(Number))
        expect(startPositions).toEqual([...startPositions].sort((a, b) => a - b))
        expect(startPositions.length).toBeGreaterThan(1)
      })

      it('receives an empty batch when it is idle, and a report when events were pruned', async () => {
        const topic = randomUUID()
        await happen(topic, ['a'])
        const batches: unknown[] = []
        const outcome = await followInBatches(
          feeds.here,
          {
            ...quick,
            topic,
            begin: async () => 900,
            async take({ events, lagged }) {
              batches.push([events.length, lagged])
              return batches.length === 2 ? batches : undefined
            },
          },
          AbortSignal.timeout(60_000),
        )
        expect(outcome).toEqual([
          [0, true],
          [0, false],
        ])
      })

      it('ends before its first event when its start says so, and when its signal is aborted', async () => {
        const topic = randomUUID()
        const idle = { ...quick, topic, take: async () => undefined }
        expect(await followInBatches(feeds.here, { ...idle, begin: async () => 'lost' as const }, AbortSignal.timeout(60_000))).toBe('lost')
        expect(await followInBatches(feeds.here, { ...idle, begin: async () => 0 }, AbortSignal.timeout(150))).toBeUndefined()
      })
    })

    it('ends when its signal is aborted', async () => {
      const topic = randomUUID()
      const events = await gather(feeds.here, topic, 0, 1, 150)
      expect(events).toEqual([])
    })
  })
}
