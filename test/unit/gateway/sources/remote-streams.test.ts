import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type ExecutionResult, type GraphQLSchema, parse } from 'graphql'
import { createClient } from 'graphql-ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenerUrl } from '../../../../foundation/http/listener-url.ts'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { RemoteSocket } from '../../../../gateway/sources/remote-socket.ts'
import { remoteSource } from '../../../../gateway/sources/remote-source.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'
import { type HarbourLog, harbour, harbourSdl } from '../../../support/gateway/harbour.ts'
import { contextFor, recordedLog, town } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const unavailable = { errors: [{ extensions: { code: 'ENGINE_UNAVAILABLE' } }] }

type Events = AsyncIterableIterator<ExecutionResult>
interface Graph {
  /** returns its events, and a function that disconnects the client */
  subscribe(query: string, variables?: Record<string, unknown>): Promise<{ readonly events: Events; readonly leave: () => void }>
  readonly source: SubgraphSource
}

/** Returns a graph with one remote subgraph. */
function graph(supergraph: string, schemas: Readonly<Record<string, GraphQLSchema>>, name: string, url: string): Graph {
  const source = remoteSource({ name, url })
  onTestFinished(() => source.stop())
  const others = Object.fromEntries(Object.entries(schemas).map(([other, schema]) => [other, inProcessSource({ schema })]))
  const executor = createExecutor({ supergraph, sources: { ...others, [name]: source }, eventTimeoutMs: 1000 })
  return {
    source,
    async subscribe(query, variables = {}) {
      const connection = new AbortController()
      const context = contextFor(log, { timeoutMs: 100_000, disconnected: connection.signal })
      const events = await executor.subscribe(executor.prepare(query), variables, context)
      if (!(Symbol.asyncIterator in events)) throw new Error('refused')
      return { events, leave: () => connection.abort() }
    },
  }
}

interface ForeignGraph extends Graph {
  /** closes every WebSocket of the subgraph */
  close(code: number): void
}

async function foreignGraph(
  supergraph: string,
  schemas: Readonly<Record<string, GraphQLSchema>>,
  name: string,
  schema: GraphQLSchema | undefined = schemas[name],
): Promise<ForeignGraph> {
  if (schema === undefined) throw new Error(`no subgraph ${name}`)
  const { server, sockets, stop } = await foreign(schema)
  onTestFinished(stop)
  return {
    ...graph(supergraph, schemas, name, `${listenerUrl(server, '127.0.0.1')}/graphql`),
    close(code) {
      for (const socket of sockets.clients) socket.close(code)
    },
  }
}

async function foreignFleet(): Promise<ForeignGraph & { readonly log: HarbourLog }> {
  const { schemas, log } = harbour()
  const supergraph = composeSupergraph(Object.entries(harbourSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
  return { ...(await foreignGraph(supergraph, schemas, 'fleet')), log }
}

const next = async ({ events }: { readonly events: Events }): Promise<unknown> => (await events.next()).value
const moved = (seq: number) => ({ data: { vesselMoved: { seq } } })

describe('a subgraph that closes its WebSocket with 1000', () => {
  it('repeats no event for a subscriber that requested past events', async () => {
    const fleet = await foreignFleet()
    for (const vessel of ['f1', 'f2', 'f3']) fleet.log.move(vessel)
    const following = await fleet.subscribe('subscription { vesselMoved(after: 1) { seq } }')
    expect([await next(following), await next(following)]).toMatchObject([moved(2), moved(3)])
    fleet.close(1000)
    const fourth = next(following)
    await expect.poll(() => fleet.log.streams.length).toBe(2)
    fleet.log.move('f4')
    expect(await fourth).toMatchObject(moved(4))
    following.leave()
  })

  it('loses no event for a subscriber that started with future events', async () => {
    const fleet = await foreignFleet()
    const following = await fleet.subscribe('subscription { vesselMoved { seq } }')
    const first = next(following)
    await expect.poll(() => fleet.log.streams.length).toBe(1)
    fleet.log.move('f1')
    expect(await first).toMatchObject(moved(1))
    fleet.close(1000)
    fleet.log.move('f2')
    expect(await next(following)).toMatchObject(moved(2))
    following.leave()
  })

  it('continues after an error that events may be missing, if events have no numbers', async () => {
    const { supergraph, schemas } = town()
    const houses = await foreignGraph(supergraph, schemas, 'houses')
    const following = await houses.subscribe('subscription { quiet { id } }')
    const quiet = { data: { quiet: { id: '1' } } }
    expect(await next(following)).toEqual(quiet)
    houses.close(1000)
    expect(await next(following)).toMatchObject(unavailable)
    expect(await next(following)).toEqual(quiet)
    following.leave()
  })
})

it('keeps at most 4 MiB of unread events, and then reports that events may be missing', async () => {
  const sdl = 'type Query { a: Int }  type Subscription { swell: String!  ping: Int! }'
  const emitted = Promise.withResolvers<void>()
  const Subscription = {
    swell: {
      async *subscribe() {
        for (let event = 0; event < 40; event += 1) yield { swell: 'x'.repeat(512 * 1024) }
        emitted.resolve()
        await new Promise(() => undefined)
      },
    },
    ping: {
      async *subscribe() {
        yield { ping: 1 }
      },
    },
  }
  const sea = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: { Subscription } }])
  const supergraph = composeSupergraph([{ name: 'sea', sdl, url: 'http://sea' }])
  const { subscribe } = await foreignGraph(supergraph, { sea }, 'sea')
  const swell = await subscribe('subscription { swell }')
  expect(await next(swell)).toHaveProperty('data.swell')
  await emitted.promise
  // over the same connection: all earlier messages have arrived
  expect(await next(await subscribe('subscription { ping }'))).toEqual({ data: { ping: 1 } })
  let count = 1
  let event = await next(swell)
  for (; count < 39 && !isRefused(event); count += 1) event = await next(swell)
  expect(event).toMatchObject(unavailable)
  expect(count).toBeLessThan(12)
  swell.leave()
})
const isRefused = (event: unknown): boolean => typeof event === 'object' && event !== null && 'errors' in event

it('a subgraph that disconnects before the first event reports to a subscriber without a position that events may be missing', async () => {
  const fleet = await foreignFleet()
  const following = await fleet.subscribe('subscription { vesselMoved(after: null) { seq } }')
  const first = next(following)
  await expect.poll(() => fleet.log.streams.length).toBe(1)
  fleet.close(1001)
  fleet.log.move('f1')
  expect(await first).toMatchObject(unavailable)
  following.leave()
})

describe('a subscription whose argument `after` must not be null', () => {
  const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")
    type Query { count: Int }
    type Count { seq: Int! }
    type Subscription { counted(after: Int! = 5): Count! }`
  const supergraph = composeSupergraph([{ name: 'counter', sdl, url: 'http://counter' }])
  const counted = {
    async *subscribe(_: unknown, { after }: { after: number }): AsyncGenerator<unknown> {
      yield { counted: { seq: after + 1 } }
    },
  }

  it.each([
    ['subscription { counted { seq } }', 6],
    ['subscription ($after: Int) { counted(after: $after) { seq } }', 6],
    ['subscription ($after: Int = 7) { counted(after: $after) { seq } }', 8],
    ['subscription { counted(after: 9) { seq } }', 10],
  ])('starts after its argument, or after the default: %s', async (query, seq) => {
    const counter = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: { Subscription: { counted } } as never }])
    const following = await (await foreignGraph(supergraph, { counter }, 'counter')).subscribe(query)
    expect(await next(following)).toMatchObject({ data: { counted: { seq } } })
    following.leave()
  })
})

it('a subscription whose events are numbered by another subgraph starts after its argument', async () => {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
  const definitions = {
    events: `${link} type Query { x: Int } type Event @key(fields: "id") { id: ID! } type Subscription { happened(after: Int): Event! }`,
    numbers: `${link} type Event @key(fields: "id") { id: ID!  seq: Int! }`,
  }
  const happened = {
    async *subscribe(_: unknown, { after }: { after?: number }): AsyncGenerator<unknown> {
      yield { happened: { id: `after ${after}` } }
    },
  }
  const schemas = {
    events: buildSubgraphSchema([{ typeDefs: parse(definitions.events), resolvers: { Subscription: { happened } } as never }]),
    numbers: buildSubgraphSchema([{ typeDefs: parse(definitions.numbers) }]),
  }
  const supergraph = composeSupergraph(Object.entries(definitions).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
  const following = await (await foreignGraph(supergraph, schemas, 'events')).subscribe('subscription { happened(after: 5) { id } }')
  expect(await next(following)).toEqual({ data: { happened: { id: 'after 5' } } })
  following.leave()
})

it('a WebSocket closed by its own client can be reopened afterwards', async () => {
  const { server, stop } = await foreign(town().schemas.houses)
  onTestFinished(stop)
  const client = createClient({
    url: `${listenerUrl(server, '127.0.0.1').replace('http', 'ws')}/graphql`,
    webSocketImpl: RemoteSocket,
    retryAttempts: 0,
  })
  for (let steps = 0; steps < 5; steps += 1) {
    const one = client.iterate({ query: 'subscription { quiet { id } }' })
    expect(await one.next()).toMatchObject({ value: { data: { quiet: { id: '1' } } } })
    await one.return?.()
    for (let step = 0; step < steps; step += 1) await undefined
  }
  await client.dispose()
})

describe('a subgraph whose WebSocket does not open', () => {
  const { supergraph, schemas } = town()
  /** Returns the address of a server that accepts connections without answering, or of a closed one. */
  const address = async (isOpen: boolean): Promise<string> => {
    const server = createServer().on('upgrade', () => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `${listenerUrl(server, '127.0.0.1')}/graphql`
    if (isOpen) onTestFinished(() => void server.close())
    else await new Promise((resolve) => server.close(resolve))
    return url
  }

  it.each([
    ['refuses the connection', false],
    ['never answers', true],
  ])('that %s: a subscriber that leaves in the meantime causes no unhandled error', async (_, isOpen) => {
    const failures: unknown[] = []
    const note = (reason: unknown): void => void failures.push(reason)
    process.on('unhandledRejection', note).on('uncaughtException', note)
    onTestFinished(() => void process.off('unhandledRejection', note).off('uncaughtException', note))
    const houses = graph(supergraph, schemas, 'houses', await address(isOpen))
    const { events, leave } = await houses.subscribe('subscription { quiet { id } }')
    const over = events.next()
    leave()
    expect(await over).toMatchObject({ done: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(failures).toEqual([])
  })

  it('ends at once when the gateway stops', async () => {
    const houses = graph(supergraph, schemas, 'houses', await address(true))
    const { events } = await houses.subscribe('subscription { quiet { id } }')
    const over = events.next()
    await houses.source.stop()
    expect(await over).toMatchObject({ done: true })
  })

  it('is aborted when it never answers', async () => {
    const houses = graph(supergraph, schemas, 'houses', await address(true))
    const following = await houses.subscribe('subscription { quiet { id } }')
    expect(await next(following)).toMatchObject(unavailable)
  })
})
