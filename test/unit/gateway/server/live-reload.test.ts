import { type Client, createClient } from 'graphql-ws'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { planCache } from '../../../../gateway/planning/plan-cache.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { type Library, type LibraryName, library, librarySdl } from '../../../support/gateway/library.ts'
import { recordedLog, type Served, serve } from '../../../support/gateway/town.ts'

/** Returns the supergraph of the library with a replacement in one of its subgraph schemas. */
const supergraph = (name: LibraryName = 'shelves', from = '', to = ''): string =>
  composeSupergraph(
    Object.entries(librarySdl).map(([each, sdl]) => ({
      name: each,
      sdl: each === name ? sdl.replace(from, to) : sdl,
      url: `http://${each}`,
    })),
  )
const withMore = supergraph('shelves', 'catalogue: String', 'catalogue: String  news: String')

interface Reloading extends Served {
  readonly library: Library
  /** @param moved - subgraphs that have another address afterwards */
  reload(sdl: string, ...moved: readonly LibraryName[]): Promise<void>
  ask(query: string): Promise<unknown>
}

async function startReloading(): Promise<Reloading> {
  const graph = library()
  const { schemas } = graph
  const sources = { shelves: inProcessSource({ schema: schemas.shelves }), readers: inProcessSource({ schema: schemas.readers }) }
  const plans = planCache()
  const executorOf = (sdl: string) => createExecutor({ supergraph: sdl, sources: { ...sources }, eventTimeoutMs: 2000, plans })
  const served = await serve({ executor: executorOf(supergraph()), log: recordedLog().log, async [Symbol.asyncDispose]() {} })
  return {
    ...served,
    library: graph,
    async reload(sdl, ...moved) {
      for (const name of moved) sources[name] = inProcessSource({ schema: schemas[name] })
      await served.gateway.reload(executorOf(sdl))
    },
    async ask(query) {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(served.graphql, { method: 'POST', headers, body: JSON.stringify({ query }) })).json()
    },
  }
}

const open: Client[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.dispose()))
})

interface Listener {
  readonly events: unknown[]
  isOver: boolean
  /** numbers of the received lending events */
  readonly numbers: () => readonly (number | undefined)[]
}
function listen({ socket }: Served, query: string): Listener {
  const client = createClient({ url: socket, webSocketImpl: WebSocket, retryAttempts: 0 })
  open.push(client)
  const events: { readonly data?: { readonly lent?: { readonly seq: number } } | null }[] = []
  const listener = { events, isOver: false, numbers: () => events.map(({ data }) => data?.lent?.seq) }
  const over = (): void => {
    listener.isOver = true
  }
  client.subscribe({ query }, { next: (event) => void events.push(event as (typeof events)[number]), error: over, complete: over })
  return listener
}

const lent = 'subscription { lent(after: 0) { seq book { title stars } } }'
const lending = (seq: number) => ({ data: { lent: { seq, book: { title: 'Book 1', stars: 1 } } } })
const reloadError = {
  errors: [{ message: expect.any(String), extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD', requestId: expect.any(String) } }],
}

it('finishes running operations and mutations on the previous supergraph, and answers new ones on the new supergraph', async () => {
  await using running = await startReloading()
  const { promise, resolve } = Promise.withResolvers<void>()
  running.library.wait = promise
  const slow = running.ask('{ slow { title stars } catalogue }')
  const change = running.ask('mutation { lend(id: "3") { title stars } }')
  // both have started when a third operation is answered
  expect(await running.ask('{ book(id: "1") { stars } }')).toEqual({ data: { book: { stars: 1 } } })
  await running.reload(supergraph('shelves', 'catalogue: String', 'register: String'))
  resolve()
  expect(await slow).toEqual({ data: { slow: { title: 'Book 7', stars: 7 }, catalogue: 'a catalogue' } })
  expect(await change).toEqual({ data: { lend: { title: 'Book 3', stars: 3 } } })
  expect(await running.ask('{ catalogue }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
  expect(await running.ask('{ register }')).toEqual({ data: { register: null } })
  // through Apollo Server
  const response = await fetch(`${running.graphql}?query={register}`, { headers: { 'apollo-require-preflight': 'yes' } })
  expect(await response.json()).toEqual({ data: { register: null } })
  expect(await (await fetch(running.graphql.replace(/graphql$/, 'schema.graphql'))).text()).toContain('register: String')
})

it('continues an unaffected subscription on its running stream', async () => {
  await using running = await startReloading()
  const listener = listen(running, lent)
  running.library.lend()
  await expect.poll(() => listener.events).toMatchObject([lending(1)])
  await running.reload(withMore)
  running.library.lend()
  await expect.poll(() => listener.events).toMatchObject([lending(1), lending(2)])
  expect(listener.isOver).toBe(false)
  expect(running.library.streams).toEqual([0])
  const live = 'subscription { lent { seq } }'
  const one = listen(running, live)
  await expect.poll(() => running.library.streams).toEqual([0, undefined])
  await running.reload(supergraph())
  const other = listen(running, live)
  await expect
    .poll(() => {
      running.library.lend()
      return [one.events.length > 0, other.events.length > 0]
    })
    .toEqual([true, true])
  expect(running.library.streams).toEqual([0, undefined])
})

it.each([
  ['whose field was removed', supergraph('readers', 'stars: Int!', 'points: Int!'), []],
  [
    'whose field moved to another subgraph',
    supergraph('readers', 'stars: Int!', 'stars: Int!  title: String! @override(from: "shelves")'),
    [],
  ],
  ['whose subgraph is at another place', supergraph(), ['shelves']],
  ['completed by a subgraph that is at another place', supergraph(), ['readers']],
] as const)('reports to a subscription %s why it ends, and keeps its connection open', async (_, sdl, moved) => {
  await using running = await startReloading()
  const client = createClient({
    url: running.socket,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
  })
  open.push(client)
  let closed = 0
  client.on('closed', () => {
    closed += 1
  })
  const events = client.iterate({ query: lent })
  running.library.lend()
  expect((await events.next()).value).toMatchObject(lending(1))
  const http = await fetch(running.graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'multipart/mixed;subscriptionSpec="1.0"' },
    body: JSON.stringify({ query: lent }),
  })
  await running.reload(sdl, ...moved)
  expect((await events.next()).value).toEqual(reloadError)
  expect(await events.next()).toMatchObject({ done: true })
  expect(await http.text()).toMatch(/"payload":null,"errors":\[\{[^\n]*"SUBSCRIPTION_SCHEMA_RELOAD"/)
  const again = client.iterate({ query: 'subscription { lent(after: 0) { seq } }' })
  expect((await again.next()).value).toMatchObject({ data: { lent: { seq: 1 } } })
  expect(closed).toBe(0)
})

it('loses no event of 1,000 subscribers and fails no query over repeated reloads', async () => {
  await using running = await startReloading()
  const [clients, reloads] = [1000, 20]
  const listeners = Array.from({ length: clients }, () => listen(running, 'subscription { lent { seq book { title stars } } }'))
  const eachHas = (seq: number) => () => listeners.every(({ numbers }) => (numbers().at(-1) ?? 0) >= seq)
  let lendings = 0
  const lend = (): void => {
    lendings += 1
    running.library.lend()
  }
  await expect
    .poll(
      () => {
        lend()
        return eachHas(1)()
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true)
  const before = running.library.streams.length

  let isOver = false
  const failed: unknown[] = []
  let answered = 0
  const queryRepeatedly = async (): Promise<void> => {
    while (!isOver) {
      const answer = await running.ask('{ book(id: "2") { title stars } }')
      if (JSON.stringify(answer) === '{"data":{"book":{"title":"Book 2","stars":2}}}') answered += 1
      else failed.push(answer)
    }
  }
  const queries = [queryRepeatedly(), queryRepeatedly()]
  for (let time = 1; time <= reloads; time += 1) {
    lend()
    const loaded = running.reload(time % 2 === 0 ? supergraph() : withMore)
    lend()
    await loaded
  }
  await expect.poll(eachHas(lendings), { timeout: 60_000 }).toBe(true)
  isOver = true
  await Promise.all(queries)
  expect(failed).toEqual([])
  expect(answered).toBeGreaterThan(0)
  for (const { numbers, isOver: hasEnded } of listeners) {
    const [first = 0] = numbers()
    expect([numbers(), hasEnded]).toEqual([Array.from({ length: lendings - first + 1 }, (_, index) => first + index), false])
  }
  expect(running.library.streams).toHaveLength(before)
}, 120_000)
