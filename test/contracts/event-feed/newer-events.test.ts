import { describe, expect, it } from 'vitest'
import { eventFormat } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const [topic, follower] = ['releases', 'counter']

describe.each(relationalEngines())('events of a newer release on $name', (engine) => {
  it('end the lead of a follower right before them, and are taken once by one of that release', async () => {
    await using open = new AsyncDisposableStack()
    const { database, url } = open.use(await openMigrated(engine))
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log })
    open.defer(() => feed.stop())
    await feed.start(AbortSignal.timeout(60_000))
    const append = (...ids: readonly string[]) =>
      database.transaction((tx) =>
        feed.append(
          tx,
          topic,
          ids.map((id) => ({ kind: 'done', id })),
        ),
      )
    await append('a', 'b', 'c', 'd')
    await database.pool.query('update event set format = $2 where topic = $1 and position = 3', [topic, eventFormat + 1])

    /** @returns what a process of a release took, and how often it led */
    const processOf = async (format: number) => {
      const taken: string[] = []
      let led = 0
      const part = leader({
        name: 'counting',
        database,
        log,
        tryEveryMs: 20,
        leaveForMs: 300,
        async work(_, signal) {
          led++
          await followInBatches<never>(
            feed,
            {
              topic,
              format,
              gatherMs: 10,
              maxEvents: 10,
              idleMs: 20,
              retryMs: 20,
              begin: () => feed.readCursor(follower, topic),
              async take({ events }) {
                taken.push(...events.map(({ id }) => id))
                const last = events.at(-1)?.position
                if (last !== undefined) await database.transaction((tx) => feed.advance(tx, follower, topic, last))
                return undefined
              },
              onError: (error) => expect.fail(String(error)),
            },
            signal,
          )
        },
      })
      await part.start(AbortSignal.timeout(60_000))
      open.defer(() => part.stop())
      return { taken, times: () => led }
    }
    const ofThis = await processOf(eventFormat)
    await expect.poll(() => ofThis.times()).toBeGreaterThan(1)
    expect(ofThis.taken).toEqual(['a', 'b'])
    expect(await feed.readCursor(follower, topic)).toBe(2)
    const ofNewer = await processOf(eventFormat + 1)
    await expect.poll(() => feed.readCursor(follower, topic)).toBe(4)
    expect([ofThis.taken, ofNewer.taken]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })
})
