import { describe, expect, it } from 'vitest'
import { eventFormat } from '../../../engines/event-feed/event-feed.ts'
import { followInBatches } from '../../../engines/event-feed/follow-in-batches.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

const [topic, follower] = ['releases', 'counter']

describe.each(relationalEngines())('events of a newer release on $name', (engine) => {
  it('end the lead of a follower before them, and are processed once by a follower of that release', async () => {
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

    /** Returns the ids that a process of a release processed, and the number of its leads. */
    const processOf = async (format: number) => {
      const processed: string[] = []
      let leads = 0
      const part = leader({
        name: 'counting',
        database,
        log,
        tryEveryMs: 20,
        leaveForMs: 300,
        async work(_, signal) {
          leads++
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
                processed.push(...events.map(({ id }) => id))
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
      return { processed, times: () => leads }
    }
    const ofThis = await processOf(eventFormat)
    await expect.poll(() => ofThis.times()).toBeGreaterThan(1)
    expect(ofThis.processed).toEqual(['a', 'b'])
    expect(await feed.readCursor(follower, topic)).toBe(2)
    const ofNewer = await processOf(eventFormat + 1)
    await expect.poll(() => feed.readCursor(follower, topic)).toBe(4)
    expect([ofThis.processed, ofNewer.processed]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })
})
