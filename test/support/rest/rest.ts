import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { buildSchema, type GraphQLError, getOperationAST, parse } from 'graphql'
import { type Config, parseConfig } from '../../../foundation/config/config.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { type Log, silentLog } from '../../../foundation/log.ts'
import type { ComponentName } from '../../../foundation/process/build-info.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import type { BodyThread } from '../../../rest-adapters/request/large-body.ts'
import { type RestServer, type RestServerOptions, restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'

export const apiKey = 'a key for tests'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** Throws for a body that is not JSON. */
  readonly json: () => unknown
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

type Data = Readonly<Record<string, unknown>>
/** Responses of the platform behind the listener, by operation name. */
export type PlatformResponses = Readonly<
  Record<string, (variables: Data, context: RequestContext) => Data | readonly GraphQLError[] | Promise<Data | readonly GraphQLError[]>>
>

export interface Rest extends AsyncDisposable {
  readonly server: RestServer
  /** Operations that reached the executor, with their variables. */
  readonly executed: { readonly name: string; readonly variables: Data; readonly context: RequestContext }[]
  call(path: string, call?: Call): Promise<Reply>
  /** Sends a POST of JSON with the key. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /**
   * Writes bytes to the listener's socket and returns the response, until the listener closes it.
   * @param enough - also ends once this has matched, after a moment for data that should not follow
   */
  raw(bytes: string | Buffer, enough?: RegExp): Promise<string>
}

/** A component's REST listener on a free port, over an executor whose results the test supplies. */
export async function rest(
  options: {
    readonly component?: ComponentName
    readonly behind?: PlatformResponses
    readonly env?: Readonly<Record<string, string>>
    readonly limits?: Partial<Config['limits']>
    readonly log?: Log
    readonly bodyThread?: BodyThread
    readonly readerStallMs?: number
    readonly listening?: RestServerOptions['listening']
    readonly graceMs?: number
  } = {},
): Promise<Rest> {
  const { component = 'verification', behind = {}, env = {}, log = silentLog } = options
  const parsed = parseConfig({ NODE_ENV: 'test', ...env }, '/tmp')
  const config = { ...parsed, limits: { ...parsed.limits, ...options.limits } }
  const executed: Rest['executed'] = []
  const executor: Executor = {
    schema: buildSchema('type Query { nothing: Boolean }'),
    supergraph: '',
    costs: { names: new Set(), weighsInput: false, weight: () => undefined, listSize: () => undefined },
    cachePolicy: () => undefined,
    prepare: (text) => {
      const document = parse(text)
      const definition = getOperationAST(document)
      if (definition == null) throw new Error('a route has one operation')
      return { text, document, definition, kind: definition.operation, name: definition.name?.value ?? '' }
    },
    invalidVariables: () => undefined,
    async execute({ name = '' }, variables, context) {
      executed.push({ name, variables, context })
      const answer = await behind[name]?.(variables, context)
      return Array.isArray(answer) ? { errors: answer } : { data: (answer as Data | undefined) ?? null }
    },
    subscribe: () => Promise.reject(new Error('no subscriptions here')),
    subscriptionPlan: () => Promise.reject(new Error('no subscriptions here')),
    planOf: () => Promise.reject(new Error('no plans here')),
    openFile: () => Promise.reject(new Error('no files here')),
  }
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  const authentication = createAuthentication({ apiKeys: [{ name: 'tests', sha256, scopes: ['submit', 'results'] }] })
  const server = restServer({
    component,
    routes: routesOf(component, config),
    executor,
    authentication,
    config,
    log,
    port: 0,
    graceMs: options.graceMs ?? 500,
    ...(options.bodyThread !== undefined && { bodyThread: options.bodyThread }),
    ...(options.listening !== undefined && { listening: options.listening }),
    ...(options.readerStallMs !== undefined && { readerStallMs: options.readerStallMs }),
  })
  await server.start(AbortSignal.timeout(60_000))
  const { address } = server
  const call = (path: string, { method = 'GET', headers = {}, body }: Call = {}) => send(`${address}${path}`, method, headers, body)
  return {
    server,
    executed,
    call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    raw: (bytes, enough) => writeRaw(address, bytes, enough),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

export function send(url: string, method: string, headers: Readonly<Record<string, string>>, body?: string | Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    // the path unchanged: fetch would normalise what these tests break
    const { hostname, port } = new URL(url)
    const path = url.slice(url.indexOf('/', 'http://'.length))
    const outgoing = httpRequest(
      { hostname, port, path, method, headers: { ...length, ...headers }, agent: false, timeout: 20_000 },
      (answer) => {
        buffer(answer).then((bytes) => {
          const text = bytes.toString('utf8')
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text, json: () => JSON.parse(text) as unknown })
        }, reject)
      },
    )
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('no answer in 20 s')))
    outgoing.end(body)
  })
}

function writeRaw(address: string, bytes: string | Buffer, enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    let text = ''
    const done = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    let timer = setTimeout(done, 20_000)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!enough?.test(text)) return
      clearTimeout(timer)
      timer = setTimeout(done, 200)
    })
    socket.on('close', done).on('error', (error) => (text === '' ? reject(error) : done()))
    socket.write(bytes)
  })
}

/** A job as documented; members replace its own, undefined removes one. */
export function job(members: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    citizen_code: 'C-17',
    document_type: 'PASSPORT',
    country_code: 'MA',
    selfie_b64: 'c2VsZmll',
    cni_recto_b64: 'ZnJvbnQ=',
    cni_verso_b64: null,
    declared_identity: { first_name: 'Salma', last_name: 'Idrissi', date_of_birth: '1988-02-29', gender: 'F', nationality: 'MAR' },
    priority: 'high',
    callback_url: null,
    ...members,
  }
}
