import type { GraphQLDataSource, SupergraphManager, SupergraphSdlHook } from '@apollo/gateway'
import { assertValidSchema, parse } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { Executor } from '../executor/executor.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { subgraphsIn } from './supergraph-for-apollo.ts'

/** A supergraph that is served. */
export interface ServedGraph {
  /** the text as its manager gave it */
  readonly sdl: string
  /** undefined if ApolloGateway executes */
  readonly executor: Executor | undefined
}

/** A supergraph whose executor exists, with the sources that it does not share with the current one. */
interface StagedGraph extends ServedGraph {
  readonly textForApollo: string
  readonly located: ReadonlyMap<string, LocatedSource>
}

interface LocatedSource {
  readonly url: string
  readonly source: SubgraphSource
  /** connects the source to its data source; harmless if repeated */
  connect(to: () => SubgraphSource): void
}

type Hook = Parameters<SupergraphSdlHook>[0]
type GetDataSource = Hook['getDataSource']

export interface ServedGraphsOptions {
  /** Builds the executor of a supergraph over sources. @throws {Error} if it cannot be served; returns undefined if ApolloGateway executes */
  readonly build: (sdl: string, sources: Readonly<Record<string, SubgraphSource>>) => Executor | undefined
  /** returns the text that ApolloGateway loads; `revision` increases with each supergraph */
  readonly textFor: (sdl: string, revision: number) => string
  readonly sourceOf: (name: string, dataSource: GraphQLDataSource) => SubgraphSource
  /** called after each switch, except the first */
  readonly switched: (graph: ServedGraph) => void
  readonly logError: (message: string) => void
  /** time after which no request uses the sources of a previous supergraph, ms */
  readonly retireMs: number
}

/**
 * Loads the supergraphs of ApolloGateway. An update is staged with its executor, then given to ApolloGateway, and committed by a listener inside that
 * call; if either refuses it, both keep the previous one.
 */
export class ServedGraphs {
  readonly #options: ServedGraphsOptions
  readonly #retiring = new Map<SubgraphSource, NodeJS.Timeout>()
  /** by the text that ApolloGateway will load, since it may load another one first */
  readonly #staged = new Map<string, StagedGraph>()
  #current: StagedGraph | undefined
  #getDataSource: GetDataSource | undefined
  #revision = 0

  constructor(options: ServedGraphsOptions) {
    this.#options = options
  }

  get current(): ServedGraph | undefined {
    return this.#current
  }

  /** Wraps a configured supergraph as the manager that ApolloGateway initializes. */
  managerOf(supergraphSdl: string | SupergraphSdlHook | SupergraphManager): SupergraphManager {
    const managed = async (hook: Hook): ReturnType<SupergraphSdlHook> => {
      if (typeof supergraphSdl === 'string') return { supergraphSdl }
      return typeof supergraphSdl === 'function' ? supergraphSdl(hook) : supergraphSdl.initialize(hook)
    }
    return {
      initialize: async ({ update, healthCheck, getDataSource }) => {
        this.#getDataSource = getDataSource
        const loaded = await managed({
          getDataSource,
          healthCheck: async (sdl) => healthCheck(this.#options.textFor(sdl, 0)),
          update: (sdl) => this.#update(sdl, update),
        })
        // a manager in JavaScript may return anything
        const sdl: unknown = loaded?.supergraphSdl
        try {
          const { textForApollo } = this.#currentOf(sdl) ?? this.#stage(sdl)
          return { ...loaded, supergraphSdl: textForApollo }
        } catch (error) {
          await this.#cleanUp(loaded?.cleanup)
          throw error
        }
      },
    }
  }

  /**
   * Switches to the supergraph whose text ApolloGateway has loaded. Called by its listener, where an error would leave the two apart: it cannot
   * fail.
   */
  commit(textForApollo: string): void {
    const [before, next] = [this.#current, this.#staged.get(textForApollo)]
    if (next === undefined) return
    for (const [name, { url, connect }] of next.located) connect(() => this.#options.sourceOf(name, this.#dataSource({ name, url })))
    this.#current = next
    this.#staged.delete(textForApollo)
    for (const [name, { source }] of before?.located ?? []) if (next.located.get(name)?.source !== source) this.#retire(source)
    if (before !== undefined) this.#options.switched(next)
  }

  /** Closes the connections to the subgraphs. */
  async stop(): Promise<void> {
    const retiring = [...this.#retiring]
    this.#retiring.clear()
    for (const [, timer] of retiring) clearTimeout(timer)
    const sources = [...(this.#current?.located.values() ?? []), ...retiring.map(([source]) => ({ source }))]
    await Promise.all(sources.map(({ source }) => source.stop()))
  }

  #update(sdl: string, update: Hook['update']): void {
    // ApolloGateway ignores its current text, but refuses an update after a stop
    const current = this.#currentOf(sdl)
    if (current !== undefined) {
      update(current.textForApollo)
      return
    }
    const before = this.#current
    let staged: StagedGraph | undefined
    try {
      staged = this.#stage(sdl)
      update(staged.textForApollo)
    } catch (error) {
      if (staged !== undefined) this.#staged.delete(staged.textForApollo)
      this.#current = before
      this.#options.logError(`The supergraph was refused; the previous one stays in use: ${messageOf(error)}`)
      throw error
    }
  }

  /** Returns the current graph if a text is its own. */
  #currentOf(sdl: unknown): StagedGraph | undefined {
    return this.#current !== undefined && this.#current.sdl === sdl ? this.#current : undefined
  }

  #stage(sdl: unknown): StagedGraph {
    if (typeof sdl !== 'string') throw new Error('The manager in supergraphSdl returned no supergraph: return { supergraphSdl: text }')
    this.#revision += 1
    const textForApollo = this.#options.textFor(sdl, this.#revision)
    const located = new Map(
      subgraphsIn(parse(sdl, { noLocation: true })).map(({ name, url }) => {
        const known = this.#current?.located.get(name)
        return [name, known?.url === url ? known : locatedSource(name, url)]
      }),
    )
    const sources = Object.fromEntries([...located].map(([name, { source }]) => [name, source]))
    const executor = this.#options.build(sdl, sources)
    // here, since ApolloGateway only logs what Apollo Server throws for an invalid schema
    if (executor !== undefined) assertValidSchema(executor.schema)
    const staged = { sdl, textForApollo, located, executor }
    this.#staged.set(textForApollo, staged)
    return staged
  }

  /** Ends a manager whose supergraph was refused here; ApolloGateway does so after the supergraphs that it refuses itself. */
  async #cleanUp(cleanup: unknown): Promise<void> {
    if (typeof cleanup !== 'function') return
    try {
      await cleanup()
    } catch (error) {
      this.#options.logError(`cleanup failed: ${messageOf(error)}`)
    }
  }

  #dataSource(definition: Parameters<GetDataSource>[0]): GraphQLDataSource {
    if (this.#getDataSource === undefined) throw new Error('ApolloGateway is not loaded')
    return this.#getDataSource(definition)
  }

  #retire(source: SubgraphSource): void {
    const end = (): void => {
      this.#retiring.delete(source)
      void source.stop()
    }
    this.#retiring.set(source, setTimeout(end, this.#options.retireMs).unref())
  }
}

/** A source without its data source: ApolloGateway creates that when it has accepted the supergraph. */
function locatedSource(name: string, url: string): LocatedSource {
  let connected: SubgraphSource | undefined
  const target = (): SubgraphSource => {
    if (connected === undefined) throw new Error(`The supergraph with the subgraph "${name}" is not loaded`)
    return connected
  }
  return {
    url,
    source: {
      fetch: (request) => target().fetch(request),
      stream: (subscription) => target().stream(subscription),
      stop: async () => connected?.stop(),
    },
    connect(to) {
      connected ??= to()
    },
  }
}
