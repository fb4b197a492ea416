import { describe, expect, it } from 'vitest'
import { DomainTree } from '../../../engines/analytics-store/domain-tree.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { RecentExpressionsResolver } from '../../../subgraphs/classification/graphql/recent-expressions.resolver.ts'
import { sharedOldestAge } from '../../../subgraphs/classification/intake/batch-writer.ts'

const ids = Array.from({ length: 3 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}`)
const places = ids.map((id, n) => ({ id, createdAt: new Date(10 - n) }))

/** Returns a resolver over three expressions in every domain; one of the three is withdrawn before it is read. @param read - called for each read */
function opened(oldestAgeMs: () => number = () => 0, publicExpressions: () => Promise<[]> = async () => [], read = async () => undefined) {
  let readings = 0
  const searched: (readonly string[] | undefined)[] = []
  const listed: (readonly string[] | undefined)[] = []
  const resolver = new RecentExpressionsResolver({
    store: {
      async newestExpressions({ filter, limit }) {
        await read()
        listed.push(filter.taxonomy)
        return places.slice(0, limit)
      },
      async newestOfDomains(domains, { limit }) {
        await read()
        readings++
        return new Map(domains.filter((id) => id !== 'empty').map((id) => [id, places.slice(0, limit)]))
      },
      async countNewest() {
        await read()
        return places.length
      },
      async countNewestOfDomains(domains) {
        await read()
        readings++
        return new Map(domains.map((id) => [id, places.length]))
      },
      publicExpressions,
    },
    index: {
      async newest({ domains }, { limit }) {
        searched.push(domains)
        return places.slice(0, limit)
      },
      async tally() {
        const none = { domain: null, subDomain: null, sentiment: null, lang: null, day: null, tile: null }
        return [{ ...none, count: 7 }]
      },
    },
    timezone: 'UTC',
    queue: { oldestAgeMs: async () => oldestAgeMs() },
    topics: {
      tree: async () =>
        new DomainTree({
          // the sub-domain was moved, and its id stays
          domains: [
            { id: 'health', parentId: null },
            { id: 'trade/staff', parentId: 'health' },
            { id: 'energy', parentId: null },
            { id: 'trade', parentId: null },
          ].map((each) => each as never),
          successors: new Map([
            ['fuel', 'energy'],
            ['roads', null],
          ]),
        }),
    },
    find: async (id) => (id === ids[1] ? null : ({ id } as never)),
  })
  const contextAt = (address?: string) =>
    ({ loaders: new Map(), signal: new AbortController().signal, address }) as unknown as RequestContext
  return { resolver, context: contextAt(), contextAt, searched, listed, readings: () => readings }
}

describe('recent expressions', () => {
  it('are exported one page at a time to an address and two in all, so that many pages leave connections to other requests', async () => {
    let [running, most] = [0, 0]
    const { resolver, context, contextAt } = opened(undefined, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running--
      return []
    })
    await Promise.all(Array.from({ length: 12 }, () => resolver.expressionExport({ first: 1000 }, context)))
    expect(most).toBe(1)
    const others = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(contextAt)
    await Promise.all([...others, ...others].map((other) => resolver.expressionExport({ first: 1000 }, other)))
    expect(most).toBe(2)
    await expect(Promise.all(Array.from({ length: 60 }, () => resolver.expressionExport({ first: 1000 }, context)))).rejects.toMatchObject({
      code: 'OVERLOADED',
    })
  })

  it('are listed and counted two at a time for an address, and for another address at once', async () => {
    const running: (() => void)[] = []
    const { resolver, contextAt } = opened(undefined, undefined, () => new Promise((resolve) => running.push(() => resolve(undefined))))
    const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
    const open = async (): Promise<void> => {
      for (; running.length > 0; await soon()) for (const end of running.splice(0)) end()
    }
    const count = async (address: string): Promise<number> => {
      const listing = resolver.expressions({ first: 1, filter: { lang: 'fr' } }, contextAt(address))
      return (await listing).count()
    }
    const flood = Array.from({ length: 20 }, () => count('192.0.2.1'))
    const domains = Array.from({ length: 20 }, () => resolver.ofDomain('trade', { first: 1 }, contextAt('192.0.2.1')))
    await soon()
    expect(running).toHaveLength(2)
    const other = count('192.0.2.2')
    await soon()
    expect(running).toHaveLength(3)
    await open()
    expect(await Promise.all([...flood, other])).toEqual(Array.from({ length: 21 }, () => 3))
    const counts = (await Promise.all(domains)).map((list) => list.count())
    await soon()
    expect(running).toHaveLength(2)
    await open()
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 20 }, () => 3))
  })

  it('wait for pending writes with one question at a time, which began after they were requested', async () => {
    const running: (() => void)[] = []
    let asked = 0
    const oldestAgeMs = sharedOldestAge({
      oldestAgeMs: () => new Promise((resolve) => running.push(() => resolve(++asked))),
    })
    const first = oldestAgeMs()
    const during = Array.from({ length: 100 }, oldestAgeMs)
    expect(running).toHaveLength(1)
    running.shift()?.()
    expect(await first).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(running).toHaveLength(1)
    const later = oldestAgeMs()
    running.shift()?.()
    expect(new Set(await Promise.all(during))).toEqual(new Set([2]))
    await new Promise((resolve) => setTimeout(resolve, 1))
    running.shift()?.()
    expect(await later).toBe(3)
  })

  it('are read once for all domains of a request with the same arguments', async () => {
    const { resolver, context, readings } = opened()
    const ofDomains = (first: number) => Promise.all(['health', 'energy', 'empty'].map((id) => resolver.ofDomain(id, { first }, context)))
    expect((await ofDomains(2)).map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false])
    expect(readings()).toBe(1)
    const lists = await ofDomains(3)
    expect(readings()).toBe(2)
    expect(await Promise.all(lists.map(({ count }) => count()))).toEqual([3, 3, 3])
    expect(readings()).toBe(3)
  })

  it('leave out an expression withdrawn in the meantime, and the next page continues after it', async () => {
    const { resolver, context } = opened()
    const { nodes, edges, pageInfo } = await resolver.expressions({ first: 2 }, context)
    expect(nodes).toEqual([{ id: ids[0] }])
    expect(edges).toHaveLength(1)
    expect(pageInfo.hasNextPage).toBe(true)
    expect(pageInfo.endCursor).not.toBe(edges[0]?.cursor)
  })

  it('with words are listed and counted by the search index, within the domain and the filter', async () => {
    const { resolver, context, searched, readings } = opened()
    const filter = { q: 'water', domainIds: ['trade/staff', 'energy'] }
    const { nodes, count } = await resolver.expressions({ first: 1, filter }, context)
    expect([nodes, await count()]).toEqual([[{ id: ids[0] }], 7])
    await Promise.all(['health', 'energy', 'transport', 'trade'].map((id) => resolver.ofDomain(id, { first: 1, filter }, context)))
    await resolver.ofDomain('trade/staff', { first: 1, filter: { q: 'water', domainIds: ['health'] } }, context)
    expect(searched).toEqual([['trade/staff', 'energy', 'fuel'], ['trade/staff'], ['energy', 'fuel'], [], [], ['trade/staff']])
    expect(readings()).toBe(0)
  })

  it('of a domain are also those that are stored in a domain that it replaces', async () => {
    const { resolver, context, listed, readings } = opened()
    const lists = await Promise.all(['energy', 'fuel', 'health'].map((id) => resolver.ofDomain(id, { first: 1 }, context)))
    expect(await Promise.all(lists.map(({ count }) => count()))).toEqual([3, 3, 3])
    expect(listed).toEqual([
      ['energy', 'fuel'],
      ['energy', 'fuel'],
    ])
    // one of places and one of counts, for health
    expect(readings()).toBe(2)
  })

  it('of a moved sub-domain are also those that are stored with its former domain', async () => {
    const { resolver, context, listed, readings } = opened()
    await resolver.ofDomain('trade/staff', { first: 1 }, context)
    expect(listed).toEqual([['trade/staff']])
    expect(readings()).toBe(0)
  })

  it.each([
    ['BAD_USER_INPUT', 'q', { first: 1, filter: { q: 'the "' } }],
    ['BAD_USER_INPUT', 'from', { first: 1, filter: { from: '2026-02-01', to: '2026-01-31' } }],
    ['BAD_USER_INPUT', 'first', { first: 0 }],
    ['BAD_USER_INPUT', 'first', { first: 101 }],
    ['MALFORMED', 'after', { first: 1, after: 'x' }],
    ['MALFORMED', 'after', { first: 1, after: Buffer.from('[1,"no id"]').toString('base64url') }],
    ['BAD_USER_INPUT', 'domains', { first: 1, filter: { domains: ['unheard-of'] } }],
    ['BAD_USER_INPUT', 'domains', { first: 1, filter: { domains: [] } }],
  ])('are refused as %s, naming %s, for %o', async (code, name, args) => {
    const { resolver, context } = opened()
    await expect(resolver.expressions(args, context)).rejects.toMatchObject({ code, message: expect.stringContaining(name) })
  })

  it('wait for expressions that were answered before the request, and not for later ones', async () => {
    const startedAt = performance.now()
    const since = () => performance.now() - startedAt
    let polls = 0
    // one item waits until the third poll; later items wait after it
    const { resolver, context } = opened(() => (++polls < 3 ? 40 + since() : 1))
    await resolver.expressions({ first: 2 }, context)
    expect(polls).toBe(3)
    // an item after a cursor was written before the cursor
    const { pageInfo } = await opened().resolver.expressions({ first: 1 }, context)
    await resolver.expressions({ first: 2, after: pageInfo.endCursor }, context)
    expect(polls).toBe(3)
    expect((await resolver.ofDomain('health', { first: 2 }, context)).nodes).toHaveLength(1)
    expect(polls).toBeGreaterThan(3)
  })

  it('do not wait for a queue that no worker drains, and wait at most one second', async () => {
    let polls = 0
    const count = (ageMs: () => number) => () => {
      polls++
      return ageMs()
    }
    const stalled = opened(count(() => 60_000))
    await stalled.resolver.expressions({ first: 2 }, stalled.context)
    expect(polls).toBe(1)
    const startedAt = performance.now()
    const slow = opened(count(() => 500 + performance.now() - startedAt))
    expect((await slow.resolver.expressions({ first: 2 }, slow.context)).nodes).toHaveLength(1)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000)
  })
})
