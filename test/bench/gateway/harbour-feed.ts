import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { planCache } from '../../../gateway/planning/plan-cache.ts'
import type { GatewayServer } from '../../../gateway/server/gateway-server.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { type Questions, serve } from '../support/server-process.ts'
import { startGatewayServer } from '../verification/documents.ts'

/** A feed of ships from one subgraph, with names from another one: one entity hop per event. */
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
const listeners = new Set<(at: number) => void>()
let entityFetches = 0
let executions = 0

async function* arrivals(
  _: unknown,
  __: unknown,
  { signal }: RequestContext,
): AsyncGenerator<{ arrived: { at: number; ship: { id: string } } }> {
  const waiting: number[] = []
  let wake: (() => void) | undefined
  const listener = (at: number): void => {
    waiting.push(at)
    wake?.()
  }
  listeners.add(listener)
  signal.addEventListener('abort', () => wake?.(), { once: true })
  try {
    while (!signal.aborted) {
      const at = waiting.shift()
      if (at !== undefined) {
        executions += 1
        yield { arrived: { at, ship: { id: '1' } } }
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    listeners.delete(listener)
  }
}

const definitions = [
  {
    name: 'port',
    sdl: `${link} type Query { ping: Int  ship: Ship! } type Subscription { arrived: Arrival! } type Arrival { at: Float! ship: Ship! } type Ship @key(fields: "id") { id: ID! }`,
    resolvers: { Query: { ping: () => 1, ship: () => ({ id: '1' }) }, Subscription: { arrived: { subscribe: arrivals } } },
  },
  {
    name: 'register',
    sdl: `${link} type Ship @key(fields: "id") { id: ID! name: String! flag: String }`,
    resolvers: {
      Ship: {
        __resolveReference: ({ id }: { id: string }) => {
          entityFetches += 1
          return { id, name: `Ship ${id}`, flag: 'LU' }
        },
      },
    },
  },
]

export const subscription = 'subscription { arrived { at ship { name flag } } }'
export const module = new URL(import.meta.url)

const sources: Readonly<Record<string, SubgraphSource>> = Object.fromEntries(
  definitions.map(({ name, sdl, resolvers }) => [
    name,
    inProcessSource({ schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolvers as never }]) }),
  ]),
)
const plans = planCache()
let gateway: GatewayServer | undefined
/** Supergraphs with one more field, which no operation selects. */
const offered = (): readonly string[] =>
  ['one', 'two', 'three'].map((field) =>
    composeSupergraph(definitions.map((each) => ({ ...each, sdl: each.sdl.replace('ping: Int', `ping: Int  ${field}: Int`) }))),
  )
const executorOver = (supergraph: string): Executor => createExecutor({ supergraph, sources, eventTimeoutMs: 1000, plans })

const questions: Questions = {
  /** Emits an event. @returns how often its entities were fetched for all subscribers together */
  async emit() {
    const before = entityFetches
    const at = performance.timeOrigin + performance.now()
    for (const listener of listeners) listener(at)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return entityFetches - before
  },
  /** Emits an event every 100 ms for 6 s and loads another supergraph every 2 s. @returns the number of events */
  async reloads() {
    // composed before the measurement: a gateway does not compose
    const supergraphs = offered()
    let eventCount = 0
    const timer = setInterval(() => {
      eventCount += 1
      const at = performance.timeOrigin + performance.now()
      for (const listener of listeners) listener(at)
    }, 100)
    for (const supergraph of supergraphs) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await gateway?.reload(executorOver(supergraph))
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    clearInterval(timer)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return eventCount
  },
  streams: () => listeners.size,
  executions: () => executions,
}

if (process.argv[2] === 'serve' && process.argv[1] === module.pathname) {
  gateway = await startGatewayServer(executorOver(composeSupergraph(definitions)))
  serve(`${gateway.url.replace('http', 'ws')}/graphql`, questions)
}
