import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { operationPlanner } from '../../../gateway/execution/planned-operation.ts'
import { supportedFeatures } from '../../../gateway/supergraph/supported-features.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'

/** A supergraph and the operations on it. */
interface Planned {
  readonly sdl: string
  readonly operations: readonly Operation[]
}
interface Operation {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
}

/** Plans one operation that the planner has not planned before. */
type Plan = (operation: Operation) => void

/** Address of the public audit's server. Without it, the benchmark plans the operations of the client package on this platform's graph. */
const audit = process.argv.find((word) => word.startsWith('--audit='))?.slice('--audit='.length)

export const coldPlanning: Benchmark = {
  name: 'cold-planning',
  about: `each operation of ${audit === undefined ? 'packages/civigraph-client' : 'the public audit'} once, by a planner that has planned none of them`,
  target: 'p99 beside the planner of ApolloGateway',
  rounds: 5,
  async start(print) {
    const all = audit === undefined ? ourOwn() : await ofAudit(audit)
    print(`${all.flatMap(({ operations }) => operations).length} operations, ${all.length} supergraphs`)
    return [variant('ApolloGateway: its planner alone', all, barePlanner), variant('Civigraph gateway: ready to run', all, ourPlanner)]
  },
}

const variant = (name: string, all: readonly Planned[], plannerOf: (sdl: string) => Plan): Variant => ({
  name,
  measure: async () => {
    const durations = all.flatMap(({ sdl, operations }) => {
      const plan = plannerOf(sdl)
      return operations.flatMap((operation) => millisecondsOf(() => plan(operation)) ?? [])
    })
    durations.sort((a, b) => a - b)
    const at = (share: number): number => percentile(durations, share)
    return { operations: durations.length, 'p50 us': at(0.5) * 1000, 'p99 us': at(0.99) * 1000, 'longest us': at(1) * 1000 }
  },
  stop: async () => undefined,
})

/** Undefined for a rejected operation: it has no plan. */
function millisecondsOf(plan: () => void): number | undefined {
  const from = performance.now()
  try {
    plan()
  } catch {
    return undefined
  }
  return performance.now() - from
}

/** The work of ApolloGateway on a document before it caches the plan. */
function barePlanner(sdl: string): Plan {
  const supergraph = Supergraph.build(sdl, { supportedFeatures })
  const schema = supergraph.apiSchema()
  const planner = new QueryPlanner(supergraph)
  return ({ document, definition }) => {
    const named = definition.name === undefined ? {} : { operationName: definition.name.value }
    planner.buildQueryPlan(operationFromDocument(schema, document, named))
  }
}

function ourPlanner(sdl: string): Plan {
  const planner = operationPlanner(sdl)
  return ({ document, definition }) => void planner.planned(document, definition).without([], [])
}

/** Each operation of a document, with all fragments. */
const operationsOf = (text: string): readonly Operation[] => {
  const document = parse(text, { noLocation: true })
  return document.definitions.flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [{ document, definition }] : []))
}

function ourOwn(): readonly Planned[] {
  const folder = 'packages/civigraph-client/operations'
  const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return [{ sdl: readFileSync('schema/supergraph.graphql', 'utf8'), operations: operationsOf(text.join('\n')) }]
}

async function ofAudit(address: string): Promise<readonly Planned[]> {
  const get = async (path: string): Promise<Response> => fetch(`${address}/${path}`, { signal: AbortSignal.timeout(30_000) })
  const ids = (await (await get('ids')).json()) as readonly string[]
  return Promise.all(
    ids.map(async (id) => {
      const tests = (await (await get(`${id}/tests`)).json()) as readonly { readonly query: string }[]
      return { sdl: await (await get(`${id}/supergraph`)).text(), operations: tests.flatMap(({ query }) => operationsOf(query)) }
    }),
  )
}
