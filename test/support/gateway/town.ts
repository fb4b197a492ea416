import { createHash, randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import { pino } from 'pino'
import { EngineUnavailable, Forbidden, NotFound, Unauthenticated } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { createAuthentication, type TokenVerifier } from '../../../foundation/http/authentication.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import type { Log } from '../../../foundation/log.ts'
import { anonymous, type Principal } from '../../../foundation/principal.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { listenerGateway } from '../../../gateway/package/listener-gateway.ts'
import { createSubgraphServer, type SubgraphServer } from '../../../gateway/protocols/subgraph-server/subgraph-server.ts'
import { createGatewayServer, type GatewayServer, type GatewayServerOptions } from '../../../gateway/server/gateway-server.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { principalTokens } from '../../../gateway/sources/principal-token.ts'
import { remoteSource } from '../../../gateway/sources/remote-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { mountPages } from '../../../platform/listeners/gateway-listener.ts'

/** A town of three subgraphs with cross-references: houses have owners, owners have letters. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@inaccessible"])'
const sdl = {
  houses: `${link}
    type Query { house(id: ID!): House  houses(first: Int = 10): [House!]!  slow: String  crash: String  away: String  forbidden: String  who: String!  housesHealth: ComponentHealth! }
    type Mutation { register(input: RegisterInput!): House!  sealed(input: SealedInput!): Boolean! }
    type Subscription { houseSold(times: Int! = 3): House!  quiet: House!  flood: House!  refused: House! }
    input RegisterInput { street: String!  number: Int!  kind: Kind = HOME  photo: String }
    input SealedInput { selfie: String!  back: String!  people: [RegisterInput!] }
    enum Kind { HOME SHOP }
    type House @key(fields: "id") { id: ID!  street: String!  number: Int!  owner: Person  lost: Person  place: Place!  rooms: [Room!]!  deed: String }
    type Room { name: String! }
    union Place = Town | Village
    type Town { name: String!  mayor: Person }
    type Village { name: String! }
    type Person @key(fields: "code") { code: String! }
    type ComponentHealth { status: HealthStatus! }
    enum HealthStatus { OK DEGRADED DOWN }`,
  people: `${link}
    type Query { person(code: String!): Person }
    type Person @key(fields: "code") { code: String!  name: String!  nickname: String  secret: String @inaccessible  fails: String }`,
  letters: `${link}
    type Person @key(fields: "code") { code: String!  name: String! @external  letters(first: Int! = 2): [Letter!]!  greeting: String! @requires(fields: "name") }
    type Letter { text: String! }`,
}
export type SubgraphName = keyof typeof sdl

/** Contexts and events that the test's subgraphs have recorded. */
export interface Seen {
  readonly contexts: RequestContext[]
  readonly aborted: string[]
  readonly ended: string[]
  batches: number
}

type Reference = { code: string; name?: string }
const house = (id: string) => ({
  id,
  street: 'Rue Haute',
  number: Number(id),
  owner: { code: `p${id}` },
  rooms: [],
  lost: { code: 'unknown' },
  place: Number(id) % 2 === 0 ? { __typename: 'Town', name: 'Ville', mayor: { code: 'p1' } } : { __typename: 'Village', name: 'Bourg' },
})

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function resolvers(seen: Seen): Record<SubgraphName, object> {
  const note = (context: RequestContext) => seen.contexts.push(context)
  return {
    houses: {
      Query: {
        house: (_: unknown, { id }: { id: string }, context: RequestContext) => {
          note(context)
          return /^\d+$/.test(id) ? house(id) : null
        },
        houses: (_: unknown, { first }: { first: number }) => Array.from({ length: first }, (__, index) => house(String(index + 1))),
        slow: async (_: unknown, __: unknown, { signal }: RequestContext) => {
          await until(signal)
          seen.aborted.push('slow')
          throw signal.reason
        },
        crash: () => {
          throw new TypeError('connect to 10.1.2.3 with password hunter2')
        },
        away: () => {
          throw new EngineUnavailable('search index', new Error('ECONNREFUSED 10.9.8.7'))
        },
        forbidden: () => {
          throw new Forbidden('Only the mayor may read this')
        },
        who: (_: unknown, __: unknown, { principal, requestId }: RequestContext) =>
          `${principal.service?.name ?? principal.user?.subject ?? 'anonymous'} ${requestId}`,
        housesHealth: () => ({ status: 'OK' }),
      },
      Mutation: {
        register: (_: unknown, { input }: { input: { number: number } }) => house(String(input.number)),
        sealed: () => true,
      },
      Subscription: {
        houseSold: {
          subscribe: async function* (_: unknown, { times }: { times: number }) {
            try {
              for (let id = 1; id <= times; id += 1) yield { houseSold: house(String(id)) }
            } finally {
              seen.ended.push('houseSold')
            }
          },
        },
        quiet: {
          subscribe: async function* (_: unknown, __: unknown, { signal }: RequestContext) {
            yield { quiet: house('1') }
            await until(signal)
            seen.ended.push('quiet')
          },
        },
        flood: {
          subscribe: async function* (_: unknown, __: unknown, { signal }: RequestContext) {
            try {
              while (!signal.aborted) {
                yield { flood: { ...house('1'), street: 'x'.repeat(20_000) } }
                await new Promise((resolve) => setImmediate(resolve))
              }
            } finally {
              seen.ended.push('flood')
            }
          },
        },
        refused: {
          subscribe: () => {
            throw new NotFound('There is no such stream')
          },
        },
      },
      House: {
        deed: () => {
          throw new Forbidden('Only the owner may read this')
        },
        __resolveReference: ({ id }: { id: string }) => house(id),
      },
    },
    people: {
      Query: { person: (_: unknown, { code }: Reference) => ({ code, name: `Name of ${code}` }) },
      Person: {
        __resolveReference: ({ code }: Reference) => (code === 'unknown' ? null : { code, name: `Name of ${code}`, nickname: null }),
        fails: () => {
          throw new Error('nickname table is corrupt')
        },
      },
    },
    letters: {
      Person: {
        __resolveReference: (reference: Reference) => {
          seen.batches += 1
          return { ...reference }
        },
        letters: (_: Reference, { first }: { first: number }) =>
          Array.from({ length: first }, (__, index) => ({ text: `Letter ${index}` })),
        greeting: ({ name }: Reference) => `Dear ${name}`,
      },
    },
  }
}

export interface Town {
  readonly supergraph: string
  readonly schemas: Readonly<Record<SubgraphName, GraphQLSchema>>
  readonly seen: Seen
}

export function town(): Town {
  const seen: Seen = { contexts: [], aborted: [], ended: [], batches: 0 }
  const made = resolvers(seen)
  const build = (name: SubgraphName) => buildSubgraphSchema([{ typeDefs: parse(sdl[name]), resolvers: made[name] as never }])
  return {
    supergraph: composeSupergraph(Object.entries(sdl).map(([name, text]) => ({ name, sdl: text, url: `http://${name}` }))),
    schemas: { houses: build('houses'), people: build('people'), letters: build('letters') },
    seen,
  }
}

/** A log whose lines a test can read. */
export function recordedLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  return { log, lines }
}

export type Layout = 'in process' | 'remote'
export const layouts: readonly Layout[] = ['in process', 'remote']

export interface RunningTown extends Town, RunningExecutor {}

/** Subgraphs in this process or each on a port, and the executor over them. */
export interface RunningExecutor extends AsyncDisposable {
  readonly executor: Executor
  readonly supergraph: string
  readonly log: Log
  readonly lines: string[]
  readonly servers: readonly SubgraphServer[]
  readonly signingKey: Uint8Array
}

/** The executor over the town. */
export async function startTown(layout: Layout, timeoutMs = 2000): Promise<RunningTown> {
  const made = town()
  return { ...made, ...(await startExecutor(layout, made.supergraph, made.schemas, timeoutMs)) }
}

export async function startExecutor(
  layout: Layout,
  supergraph: string,
  schemas: Readonly<Record<string, GraphQLSchema>>,
  timeoutMs = 2000,
): Promise<RunningExecutor> {
  const { log, lines } = recordedLog()
  const { byName: sources, servers, signingKey, stop } = await sourcesOf(layout, schemas, log, timeoutMs)
  const executor = createExecutor({ supergraph, sources, eventTimeoutMs: 2000 })
  return { supergraph, executor, log, lines, servers, signingKey, [Symbol.asyncDispose]: stop }
}

/** Subgraphs in this process or each on a port. */
export async function sourcesOf(layout: Layout, schemas: Readonly<Record<string, GraphQLSchema>>, log: Log, timeoutMs = 2000) {
  const signingKey = randomBytes(32)
  const tokens = principalTokens(signingKey)
  const servers: SubgraphServer[] = []
  const sources: Record<string, SubgraphSource> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    if (layout === 'in process') sources[name] = inProcessSource({ schema })
    else {
      const server = createSubgraphServer({
        subgraph: { name, schema },
        tokens,
        log,
        host: '127.0.0.1',
        port: 0,
        bodyBytes: 1_000_000,
        requestTimeoutMs: timeoutMs,
      })
      await server.start(new AbortController().signal)
      servers.push(server)
      sources[name] = remoteSource({ name, url: server.url, tokens })
    }
  }
  return {
    byName: sources,
    servers,
    signingKey,
    async stop(): Promise<void> {
      await Promise.all(Object.values(sources).map((source) => source.stop()))
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

/** A subgraph again, on the port that it had before. */
export async function restarted(
  { log, signingKey }: RunningExecutor,
  name: string,
  schema: GraphQLSchema,
  port: number,
): Promise<AsyncDisposable> {
  const server = createSubgraphServer({
    subgraph: { name, schema },
    tokens: principalTokens(signingKey),
    log,
    host: '127.0.0.1',
    port,
    bodyBytes: 1_000_000,
    requestTimeoutMs: 2000,
  })
  await server.start(new AbortController().signal)
  return { [Symbol.asyncDispose]: () => server.stop() }
}

/** A context as a request has one. */
export function contextFor(
  log: Log,
  options: { principal?: Principal; timeoutMs?: number; disconnected?: AbortSignal } = {},
): RequestContext & Disposable {
  const { principal = anonymous, timeoutMs = 5000, disconnected = new AbortController().signal } = options
  return requestContext({ principal, requestId: `test-${randomBytes(4).toString('hex')}`, log, timeoutMs, disconnected })
}

/** Runs an operation as a route would. */
export async function ask(
  running: RunningExecutor,
  text: string,
  variables: Record<string, unknown> = {},
  context = contextFor(running.log),
) {
  const result = await running.executor.execute(running.executor.prepare(text), variables, context)
  // What a client sees: the JSON.
  return JSON.parse(JSON.stringify(result)) as {
    data?: Record<string, unknown> | null
    errors?: { message: string; path?: unknown[]; extensions: Record<string, unknown> }[]
    extensions?: unknown
  }
}

export const apiKey = 'a key of the test'
export const verifier: TokenVerifier = {
  async verify(token) {
    if (!token.startsWith('good')) throw new Unauthenticated('Invalid token')
    return {
      issuer: 'https://issuer.test',
      subject: token,
      roles: [],
      groups: [],
      expiresAt: token === 'good-for-1s' ? Date.now() / 1000 + 1 : Date.now() / 1000 + 3600,
    }
  },
}

export interface Served extends AsyncDisposable {
  readonly gateway: GatewayServer
  readonly graphql: string
  readonly socket: string
  readonly store: Map<string, string>
}

export interface RunningGateway extends Served {
  readonly town: RunningTown
}

/** The gateway over the town. */
export async function startGateway(layout: Layout, options: Partial<GatewayServerOptions> = {}): Promise<RunningGateway> {
  const running = await startTown(layout)
  return { ...(await serve(running, options)), town: running }
}

/** The gateway over any subgraphs. */
export async function startServed(
  layout: Layout,
  definitions: Readonly<Record<string, string>>,
  schemas: Readonly<Record<string, GraphQLSchema>>,
  options: Partial<GatewayServerOptions> = {},
): Promise<Served & RunningExecutor> {
  const supergraph = composeSupergraph(Object.entries(definitions).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
  const running = await startExecutor(layout, supergraph, schemas)
  return { ...running, ...(await serve(running, options)) }
}

/** The gateway over an executor; it is stopped before the engines of the executor. */
export async function serve(
  running: Pick<RunningExecutor, 'executor' | 'log'> & AsyncDisposable,
  options: Partial<GatewayServerOptions> = {},
): Promise<Served> {
  const store = new Map<string, string>()
  const gateway = createGatewayServer({
    executor: running.executor,
    gatewayOver: listenerGateway,
    authentication: createAuthentication({
      apiKeys: [{ name: 'tester', sha256: createHash('sha256').update(apiKey).digest('hex'), scopes: ['submit'] }],
      tokenVerifier: verifier,
    }),
    persistedQueries: { get: async (key) => store.get(key), set: async (key, value) => store.set(key, value) },
    log: running.log,
    host: '127.0.0.1',
    port: 0,
    corsOrigins: ['https://front.test'],
    introspection: true,
    bodyBytes: 200_000,
    requestTimeoutMs: 1500,
    version: '1.2.3',
    mountPages: (server) => mountPages(server, { components: [], version: '1.2.3', publicUrl: undefined }),
    graceMs: 500,
    ...options,
  })
  await gateway.start(new AbortController().signal)
  return {
    gateway,
    graphql: `${gateway.url}/graphql`,
    socket: `${gateway.url.replace('http', 'ws')}/graphql`,
    store,
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await running[Symbol.asyncDispose]()
    },
  }
}
