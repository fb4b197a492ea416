import { type AuthorizationOptions, UnenforcedAuthorization } from '../executor/caller-authorization.ts'
import { createExecutor, type Executor, type ExecutorOptions } from '../executor/executor.ts'
import { planCache } from '../planning/plan-cache.ts'
import { remoteSource } from '../sources/remote-source.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { readSupergraph } from '../supergraph/supergraph.ts'

/** Names of options for error messages, in the terms of the operator. */
export interface SettingNames {
  /** option for URLs of subgraphs */
  readonly addresses: string
  /** option for authentication */
  readonly callers: string
  /** option for policy decisions */
  readonly policies: string
}

const ofEnvironment: SettingNames = {
  addresses: 'SUBGRAPH_URLS',
  callers: 'OIDC_ISSUER_URL or VERIFICATION_API_KEYS',
  policies: 'POLICY_MODULE or POLICY_FIELD',
}

export interface RemoteGraphsOptions {
  /** URLs of subgraphs by name, if the supergraph has other ones or none */
  readonly urls: Readonly<Record<string, string>>
  /** time limit of a request, after which the subgraphs of a previous supergraph are unused */
  readonly requestTimeoutMs: number
  /** labels of progressive overrides that are on */
  readonly overrideLabels?: ExecutorOptions['overrideLabels'] | undefined
  /** how callers are authorised; a supergraph that protects anything is refused without this option */
  readonly authorization?: AuthorizationOptions | undefined
  /** caches entities */
  readonly entityCache?: ExecutorOptions['entityCache']
  readonly telemetry?: ExecutorOptions['telemetry']
  /** (default: environment variables) */
  readonly settingNames?: SettingNames | undefined
}

interface LocatedSource {
  readonly url: string
  readonly source: SubgraphSource
}

/** Additional wait for the outcome of a mutation after its deadline. */
const graceMs = 5000

/** Creates executors of consecutive supergraphs with remote subgraphs; plans with the same basis and connections to the same URLs are reused. */
export class RemoteGraphs {
  readonly #options: RemoteGraphsOptions
  readonly #names: SettingNames
  readonly #plans = planCache()
  readonly #retiring = new Map<SubgraphSource, NodeJS.Timeout>()
  #located: ReadonlyMap<string, LocatedSource> = new Map()

  constructor(options: RemoteGraphsOptions) {
    this.#options = options
    this.#names = options.settingNames ?? ofEnvironment
  }

  /** sources of the current supergraph, by name */
  get sources(): Readonly<Record<string, SubgraphSource>> {
    return Object.fromEntries([...this.#located].map(([name, { source }]) => [name, source]))
  }

  /** URLs of the subgraphs, by name */
  get addresses(): readonly (readonly [name: string, url: string])[] {
    return [...this.#located].map(([name, { url }]) => [name, url])
  }

  /**
   * Switches to a supergraph; connections to removed or moved subgraphs are closed after the requests in progress. @param serve - uses the executor;
   * its error leaves everything unchanged
   * @throws {Error} if the text is not a supergraph, or a subgraph has no URL
   */
  async switchTo(sdl: string, serve?: (executor: Executor) => Promise<void>): Promise<Executor> {
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

  #locate(sdl: string): ReadonlyMap<string, LocatedSource> {
    const subgraphs = readSupergraph(sdl).subgraphs.map(({ name, url }) => ({ name, url: this.#options.urls[name] ?? url }))
    const lost = subgraphs.filter(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    if (lost.length > 0)
      throw new Error(
        `${this.#names.addresses} must name the subgraphs ${lost.map(({ name }) => name).join(', ')}: the supergraph has no http URL for them`,
      )
    return new Map(
      subgraphs.map(({ name, url }) => {
        const current = this.#located.get(name)
        return [name, current?.url === url ? current : { url, source: remoteSource({ name, url }) }]
      }),
    )
  }

  #retire(source: SubgraphSource): void {
    const release = (): void => {
      this.#retiring.delete(source)
      void source.stop()
    }
    this.#retiring.set(source, setTimeout(release, this.#options.requestTimeoutMs + graceMs).unref())
  }
}

/** @throws {Error} naming the options that are required for authorization */
function executorOver(options: ExecutorOptions, { callers, policies }: SettingNames): Executor {
  try {
    return createExecutor(options)
  } catch (error) {
    if (!(error instanceof UnenforcedAuthorization)) throw error
    throw new Error(`${error.message} (${options.authorization === undefined ? callers : policies})`, { cause: error })
  }
}
