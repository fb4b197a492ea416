import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { EntityCache, type EntityStore } from '../../../gateway/caching/entity-cache.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { remoteSource } from '../../../gateway/sources/remote-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { foreign } from '../../support/gateway/foreign-subgraph.ts'
import { type Shop, shop, shopSdl } from '../../support/gateway/shop.ts'
import { contextFor, recordedLog } from '../../support/gateway/town.ts'

const supergraph = (version: number): string =>
  `${composeSupergraph(Object.entries(shopSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))}\n# ${version}`

/** @param open - returns a store without other writers, and a function that closes it */
export function entityCacheContract(
  name: string,
  open: () => Promise<{ readonly store: EntityStore; readonly close: () => Promise<void> }>,
): void {
  describe(`cached entities: ${name}`, () => {
    const { log } = recordedLog()
    let opened: Awaited<ReturnType<typeof open>>
    let graph: Shop
    let prices: SubgraphSource
    let executor: Executor
    let cache: EntityCache
    const closing: (() => Promise<void>)[] = []
    let version = 0
    const over = (store: EntityStore, waitMs = 5000): Executor => {
      cache = new EntityCache({ store, log, waitMs })
      version += 1
      return createExecutor({
        supergraph: supergraph(version),
        sources: { goods: inProcessSource({ schema: graph.schemas.goods }), prices },
        eventTimeoutMs: 1000,
        authorization: {},
        entityCache: cache,
      })
    }
    beforeAll(async () => {
      opened = await open()
      graph = shop()
      const { server, stop } = await foreign(graph.schemas.prices)
      prices = remoteSource({ name: 'prices', url: `${listenerUrl(server, '127.0.0.1')}/graphql` })
      closing.push(() => prices.stop(), stop, opened.close)
    })
    afterAll(async () => {
      for (const close of closing) await close()
    })
    beforeEach(() => {
      graph.asked.length = 0
      graph.raise = 0
      graph.wait = Promise.resolve()
      executor = over(opened.store)
    })
    const ask = async (query: string, principal: Principal = {}): Promise<Record<string, unknown>> => {
      using context = contextFor(log, { principal })
      return JSON.parse(JSON.stringify(await executor.execute(executor.prepare(query), {}, context))) as Record<string, unknown>
    }
    const priced = (...prices: number[]) => ({ data: { goods: prices.map((price) => ({ price })) } })
    /** waits until the results of a query are cached: it then sends no request to the subgraph */
    const cached = async (query: string, principal?: Principal): Promise<void> => {
      await expect
        .poll(async () => {
          graph.asked.length = 0
          await ask(query, principal)
          return graph.asked
        })
        .toEqual([])
    }

    it('are not fetched again by any operation, and only missing ones are fetched', async () => {
      expect(await ask('{ goods(first: 2) { price } }')).toEqual(priced(100, 200))
      expect(graph.asked).toEqual([['1', '2']])
      await cached('{ goods(first: 2) { price } }')
      expect(await ask('query Named { goods(first: 4) { price } }')).toEqual(priced(100, 200, 300, 400))
      expect(graph.asked).toEqual([['3', '4']])
    })

    it('have the selected fields under any response names', async () => {
      const query = '{ goods(first: 1) { __proto__: price constructor: price } }'
      await cached(query)
      expect(JSON.stringify(await ask(query))).toBe('{"data":{"goods":[{"__proto__":100,"constructor":100}]}}')
    })

    it('are distinct for another selection and for another supergraph', async () => {
      await cached('{ goods(first: 1) { price } }')
      await ask('{ goods(first: 1) { cost: price } }')
      expect(graph.asked).toHaveLength(1)
      executor = over(opened.store)
      await ask('{ goods(first: 1) { price } }')
      expect(graph.asked).toHaveLength(2)
    })

    it('are fetched again after an invalidation, of one key or of a whole type', async () => {
      await cached('{ goods(first: 3) { price } }')
      graph.raise = 1
      await cache.invalidate({ type: 'Good', key: { id: '2' } })
      expect(await ask('{ goods(first: 3) { price } }')).toEqual(priced(100, 201, 300))
      expect(graph.asked).toEqual([['2']])
      await cache.invalidate({ type: 'Good' })
      expect(await ask('{ goods(first: 3) { price } }')).toEqual(priced(101, 201, 301))
    })

    it('are not cached when they are invalidated during their fetch', async () => {
      const waiting = Promise.withResolvers<void>()
      graph.wait = waiting.promise
      const before = ask('{ goods(first: 1) { price } }')
      await expect.poll(() => graph.asked.length).toBe(1)
      await cache.invalidate({ type: 'Good' })
      graph.wait = Promise.resolve()
      waiting.resolve()
      await before
      graph.raise = 7
      expect(await ask('{ goods(first: 1) { price } }')).toEqual(priced(107))
    })

    it('are fetched once for concurrent requests', async () => {
      const waiting = Promise.withResolvers<void>()
      graph.wait = waiting.promise
      const answers = Array.from({ length: 20 }, () => ask('{ goods(first: 2) { price } }'))
      await expect.poll(() => graph.asked.length).toBe(1)
      waiting.resolve()
      expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => priced(100, 200)))
      expect(graph.asked).toEqual([['1', '2']])
    })

    it('are cached for each caller in a private scope, and not for anonymous callers', async () => {
      const user = (subject: string): Principal => ({ user: { issuer: 'i', subject, roles: [], groups: [], expiresAt: 2e9 } })
      await cached('{ goods(first: 1) { discount } }', user('ada'))
      await ask('{ goods(first: 1) { discount } }', user('grace'))
      expect(graph.asked).toHaveLength(1)
      await ask('{ goods(first: 1) { discount } }')
      await ask('{ goods(first: 1) { discount } }')
      expect(graph.asked).toHaveLength(3)
    })

    it('are not cached without a cache hint, when missing, or with an error, which keeps its path', async () => {
      for (const query of ['{ goods(first: 1) { stock } }', '{ good(id: 404) { price } }']) {
        graph.asked.length = 0
        await ask(query)
        await ask(query)
        expect(graph.asked, query).toHaveLength(2)
      }
      await cached('{ goods(first: 1) { price } }')
      for (const _ of ['once', 'again'])
        expect(await ask('{ goods(first: 3) { broken } }')).toMatchObject({
          data: { goods: [{ broken: 1 }, { broken: null }, { broken: 1 }] },
          errors: [{ path: ['goods', 1, 'broken'] }],
        })
      expect(graph.asked).toEqual([
        ['1', '2', '3'],
        ['1', '2', '3'],
      ])
    })

    it('are not read for mutations', async () => {
      await cached('{ goods(first: 1) { price } }')
      await ask('mutation { order { price } }')
      expect(graph.asked).toEqual([['1']])
    })

    it('are fetched once for concurrent callers while the store hangs or fails', async () => {
      const waitMs = 5
      // of two entities: the marks of both and of their type
      const keysOfRequest = 5
      let gets = 0
      const counted = (get: EntityStore['get']): EntityStore['get'] => {
        return (...keys) => {
          gets += 1
          return get(...keys)
        }
      }
      const hanging: EntityStore = { get: counted(() => new Promise(() => undefined)), set: () => new Promise(() => undefined) }
      const failing: EntityStore = {
        get: counted(() => Promise.reject(new Error('unavailable'))),
        set: () => Promise.reject(new Error('unavailable')),
      }
      for (const store of [hanging, failing]) {
        executor = over(store, waitMs)
        graph.asked.length = 0
        gets = 0
        const fetched = Promise.withResolvers<void>()
        graph.wait = fetched.promise
        const results = Promise.all(Array.from({ length: 5 }, () => ask('{ goods(first: 2) { price } }')))
        // the first fetch lasts until the last caller has waited for the store in vain
        await expect.poll(() => gets, { interval: 1 }).toBe(5 * keysOfRequest)
        await sleep(4 * waitMs)
        fetched.resolve()
        const answers = await results
        expect(answers).toEqual(Array.from({ length: 5 }, () => priced(100, 200)))
        expect(graph.asked).toEqual([['1', '2']])
      }
    })
  })
}
