import { messageOf } from '../../../foundation/fault.ts'
import { type AuthorizationOptions, createExecutor, type Executor, type ExecutorOptions } from '../../executor.ts'
import { keptPlans } from '../../planning/kept-plans.ts'
import { remoteSource } from '../../sources/remote-source.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'
import { readSupergraph } from '../supergraph.ts'

/** What is set where a supergraph cannot be served, in the words of whoever runs the gateway. */
export interface SettingNames {
  /** says where subgraphs answer */
  readonly addresses: string
  /** says who asks */
  readonly callers: string
  /** decides on policies */
  readonly policies: string
}

const ofEnvironment: SettingNames = {
  addresses: 'SUBGRAPH_URLS',
  callers: 'OIDC_ISSUER_URL or VERIFICATION_API_KEYS',
  policies: 'POLICY_MODULE or POLICY_FIELD',
}

export interface RemoteGraphsOptions {
  /** where subgraphs answer, by name, for those whose address in the supergraph is another or none */
  readonly urls: Readonly<Record<string, string>>
  /** longest time of a request, after which nothing asks the subgraphs of a supergraph that is served no more */
  readonly requestTimeoutMs: number
  /** of progressive overrides that are on */
  readonly overrideLabels?: ExecutorOptions['overrideLabels'] | undefined
  /** how callers are held to what supergraphs protect; one that protects anything is refused without */
  readonly authorization?: AuthorizationOptions | undefined
  /** keeps what subgraphs give of entities */
  readonly entityCache?: ExecutorOptions['entityCache']
  readonly telemetry?: ExecutorOptions['telemetry']
  /** (default: those of the environment) */
  readonly settingNames?: SettingNames | undefined
}

interface Located {
  readonly url: string
  readonly source: SubgraphSource
}

/** What the outcome of a change is waited for beyond its request's time. */
const graceMs = 5000

/** Executors over one supergraph after another, whose subgraphs are remote: plans stay that rest on the same, and connections to the same addresses. */
export class RemoteGraphs {
  readonly #options: RemoteGraphsOptions
  readonly #names: SettingNames
  readonly #plans = keptPlans()
  readonly #retiring = new Map<SubgraphSource, NodeJS.Timeout>()
  #located: ReadonlyMap<string, Located> = new Map()

  constructor(options: RemoteGraphsOptions) {
    this.#options = options
    this.#names = options.settingNames ?? ofEnvironment
  }

  /** those of the supergraph that was taken last, by name */
  get sources(): Readonly<Record<string, SubgraphSource>> {
    return Object.fromEntries([...this.#located].map(([name, { source }]) => [name, source]))
  }

  /** where they answer, by name */
  get addresses(): readonly (readonly [name: string, url: string])[] {
    return [...this.#located].map(([name, { url }]) => [name, url])
  }

  /**
   * Subgraphs that the supergraph lacks, or has elsewhere, are let go of once the requests that have begun are over.
   * @param serve - takes the executor; what it throws leaves everything as it was
   * @throws {Error} when the text is no supergraph, or a subgraph of it has no address
   */
  async take(sdl: string, serve?: (executor: Executor) => Promise<void>): Promise<Executor> {
    const { requestTimeoutMs: eventTimeoutMs, overrideLabels = [], authorization, entityCache, telemetry } = this.#options
    const located = this.#locate(sdl)
    const fresh = [...located].filter(([name, { source }]) => this.#located.get(name)?.source !== source)
    const sources = Object.fromEntries([...located].map(([name, { source }]) => [name, source]))
    try {
      const executor = executorOver(
        {
          supergraph: sdl,
          sources,
          eventTimeoutMs,
          overrideLabels,
          plans: this.#plans,
          entityCache,
          telemetry,
          ...(authorization && { authorization }),
        },
        this.#names,
      )
      await serve?.(executor)
      for (const [name, { source }] of this.#located) if (located.get(name)?.source !== source) this.#retire(source)
      this.#located = located
      return executor
    } catch (error) {
      await Promise.all(fresh.map(([, { source }]) => source.stop()))
      throw error
    }
  }

  async stop(): Promise<void> {
    const retiring = [...this.#retiring]
    this.#retiring.clear()
    for (const [, timer] of retiring) clearTimeout(timer)
    const sources = [...Object.values(this.sources), ...retiring.map(([source]) => source)]
    await Promise.all(sources.map((source) => source.stop()))
  }

  #locate(sdl: string): ReadonlyMap<string, Located> {
    const subgraphs = readSupergraph(sdl).subgraphs.map(({ name, url }) => ({ name, url: this.#options.urls[name] ?? url }))
    const lost = subgraphs.filter(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    if (lost.length > 0)
      throw new Error(
        `${this.#names.addresses} must name the subgraphs ${lost.map(({ name }) => name).join(', ')}: it has no http address of them`,
      )
    return new Map(
      subgraphs.map(({ name, url }) => {
        const known = this.#located.get(name)
        return [name, known?.url === url ? known : { url, source: remoteSource({ name, url }) }]
      }),
    )
  }

  #retire(source: SubgraphSource): void {
    const letGo = (): void => {
      this.#retiring.delete(source)
      void source.stop()
    }
    this.#retiring.set(source, setTimeout(letGo, this.#options.requestTimeoutMs + graceMs).unref())
  }
}

/** @throws {Error} naming what may be set where nobody says who may see what */
function executorOver(options: ExecutorOptions, { callers, policies }: SettingNames): Executor {
  try {
    return createExecutor(options)
  } catch (error) {
    const hint = ` (${options.authorization === undefined ? callers : policies})`
    const message = messageOf(error)
    throw new Error(`${message}${/nothing here/.test(message) ? hint : ''}`, { cause: error })
  }
}
