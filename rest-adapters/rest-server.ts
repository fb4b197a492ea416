import { createHash } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Executor } from '../gateway/executor.ts'
import { type Authentication, credentialsOf } from '../gateway/http/authentication.ts'
import { clientAddress } from '../gateway/http/client-address.ts'
import { allowOrigins } from '../gateway/http/cors.ts'
import { listenerUrl } from '../gateway/http/listener-url.ts'
import { Intake, readBody } from '../gateway/http/read-body.ts'
import { cutStalledReaders } from '../gateway/http/refused-connection.ts'
import { abortWhenGone, requestContext, requestIdOf } from '../gateway/request-context.ts'
import type { Config } from '../subgraphs/foundation/config/config.ts'
import type { ComponentName } from '../subgraphs/foundation/graphql/subgraph.ts'
import type { Part } from '../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../subgraphs/foundation/log.ts'
import { fileHandler } from './handlers/file-handler.ts'
import { pagesHandler } from './handlers/pages-handler.ts'
import {
  challengeOf,
  type Handler,
  internalError,
  type Listener,
  patience,
  refusalFor,
  requireCredentials,
  singleHeaders,
  untilAborted,
} from './handlers/request-in-hand.ts'
import { answerUnrouted } from './handlers/unrouted.ts'
import { uploadHandler } from './handlers/upload-handler.ts'
import { acceptHttp, httpOptions, letContinue, uploadTimeoutMs } from './request/http-protocol.ts'
import { decodeBody } from './request/request-body.ts'
import { httpRefusal, refusal } from './response/fault-to-http.ts'
import { isKnown, publicContent, sendJson, sendPublic, sendRefusal } from './response/respond.ts'
import { type OneRoute, type Route, serviceKeyHeader } from './route/route.ts'

export interface RestServerOptions {
  readonly component: ComponentName
  readonly routes: readonly Route[]
  readonly executor: Executor
  readonly authentication: Authentication
  readonly config: Config
  readonly log: Log
  /** 0: any free one */
  readonly port: number
  /** shared by the listeners of a process; its own when absent */
  readonly intake?: Intake
  /** how long a stop waits for what is being answered */
  readonly graceMs?: number
  /** how long a client may take nothing of its answer */
  readonly readerStallMs?: number
  /** something else that answers for a path of this listener and everything below it */
  readonly mount?: Mount
  /** the WebSocket side of this listener */
  readonly sockets?: Sockets
}

/** What takes the upgrades of a listener: starts before it opens, stops before it closes. */
export interface Sockets extends Part {
  attach(server: HttpServer): void
}

export interface Mount {
  /** without a slash at its end */
  readonly path: string
  /** @param client - the address it comes from, by TRUST_PROXY */
  handle(request: IncomingMessage, response: ServerResponse, client?: string): void
}

/** One component's documented operations on a port of their own. */
export interface RestServer extends Part {
  /** http://host:port, once started */
  readonly address: string
}

const noHeaders = {}
const json = 'application/json'

/**
 * Serves a component's routes, each by one GraphQL operation through the executor.
 * @throws {Error} when an operation does not fit the executor's schema, with every error
 */
export function restServer(options: RestServerOptions): RestServer {
  const { component, routes, config, port, graceMs = 10_000 } = options
  const log = options.log.child({ component: `rest:${component}` })
  const listener: Listener = { ...options, log, intake: options.intake ?? new Intake(config.limits.intakeInflightBytes) }
  const server = fastify({
    ...httpOptions,
    ...(routes.some(({ kind }) => kind === 'upload') && { requestTimeout: uploadTimeoutMs }),
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })
  acceptHttp(server)
  // longer than an operation may take: a page of a long answer is waited for by one, while nothing is sent
  cutStalledReaders(server, options.readerStallMs ?? 1.5 * config.limits.requestTimeoutMs)
  allowOrigins(server, config.corsOrigins)
  server.setErrorHandler(async (error, request, reply) => sendRefusal(reply, refusalFor(error, request, log)))
  for (const route of routes) addRoute(server, route, listener)
  if (options.mount !== undefined) addMount(server, options.mount, config.trustedProxies)
  answerUnrouted(server, routes)
  options.sockets?.attach(server.server)
  return {
    name: `rest ${component}`,
    get address() {
      return listenerUrl(server.server, config.bindAddress)
    },
    async start(signal) {
      await options.sockets?.start(signal)
      await server.listen({ host: config.bindAddress, port })
    },
    async stop() {
      await options.sockets?.stop()
      const force = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await server.close()
      clearTimeout(force)
    },
  }
}

function addRoute(server: FastifyInstance, route: Route, listener: Listener): void {
  const { method, path: url } = route
  if (route.kind === 'fixed') {
    const content = publicContent(route.content)
    const handler: Handler = async (request, reply) => {
      reply.headers({ ...route.headers })
      return route.isPublic ? sendPublic(request, reply, route.mediaType, content) : sendJson(reply, 200, content.text)
    }
    server.route({ method, url, handler })
  } else server.route({ method, url, handler: handlerOf(route, listener) })
}

/** Its requests pass through as they are, with the request id and the rules for browsers of this listener. */
function addMount(server: FastifyInstance, { path, handle }: Mount, trustedProxies: number): void {
  server.all(`${path}/*`, (request, reply) => {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
    handle(request.raw, reply.raw, clientAddress(request.raw, trustedProxies))
  })
}

function handlerOf(route: Exclude<Route, { kind: 'fixed' }>, listener: Listener): Handler {
  switch (route.kind) {
    case 'one':
      return oneHandler(route, listener)
    case 'pages':
      return pagesHandler(route, listener)
    case 'upload':
      return uploadHandler(route, listener)
    case 'file':
      return fileHandler(route, listener)
    case 'socket':
      return async (_, reply) => sendRefusal(reply, refusal(426, 'This is a WebSocket', { upgrade: 'websocket', connection: 'Upgrade' }))
  }
}

/** The hot path: everything that can be worked out once is worked out here. */
function oneHandler(route: OneRoute, { executor, authentication, config, intake, log }: Listener): Handler {
  const operation = executor.prepare(route.operation)
  const version = route.version && executor.prepare(route.version.operation)
  const { requestTimeoutMs } = config.limits
  const wantsKey = route.caller === 'service'
  const hasParameters = route.rules.params !== undefined
  const hasHeaderRules = route.rules.header !== undefined
  return async (request, reply) => {
    // Fastify leaves these untyped: the parameters of the path, and what `querystringParser` made
    const params = request.params as Readonly<Record<string, string>>
    const query = request.query as Readonly<Record<string, string>>
    // the router takes `/jobs/` for a job without a name
    if (hasParameters && Object.values(params).includes('')) return void reply.callNotFound()
    const gone = new AbortController()
    abortWhenGone(reply.raw, gone)
    const credentials = credentialsOf(request.raw)
    const challenge = challengeOf(route, credentials)
    try {
      const principal = await authentication.principalOf(credentials, patience(credentials, gone.signal, requestTimeoutMs))
      if (route.caller === 'admin') requireCredentials(principal)
      using held = route.bodyBytes === 0 ? undefined : await readOwnBody(request, reply, route.bodyBytes, intake, requestTimeoutMs)
      const body = held && decodeBody(request.headers['content-type'], held.bytes, route.images)
      const variables = route.variablesOf({
        params,
        query,
        headers: hasHeaderRules ? singleHeaders(request) : noHeaders,
        body,
        missingHeaders: wantsKey && credentials.apiKey === undefined ? [serviceKeyHeader] : [],
      })
      using context = requestContext({
        principal,
        requestId: request.id,
        address: clientAddress(request.raw, config.trustedProxies),
        log,
        timeoutMs: requestTimeoutMs,
        clientGone: gone.signal,
      })
      const known = request.headers['if-none-match']
      if (version !== undefined && known !== undefined) {
        const { data } = await untilAborted(executor.execute(version, variables, context), context.signal)
        const etag = data == null ? undefined : tagOf(route, variables, data)
        if (etag !== undefined && isKnown(known, etag)) return sendPublic(request, reply, route.mediaType ?? json, { text: '', etag })
      }
      const { data, errors } = await untilAborted(executor.execute(operation, variables, context), context.signal)
      // a request that was given up may still be read by what goes on behind it: the garbage collector finds that
      if (!context.signal.aborted) {
        body?.done?.()
        held?.done()
      }
      if (errors !== undefined && errors.length > 0) {
        const refused = httpRefusal(errors[0], challenge)
        return route.whenFailed === undefined
          ? sendRefusal(reply, refused ?? internalError)
          : sendBody(route, reply, request, route.whenFailed(refused))
      }
      return sendBody(route, reply, request, route.answerOf(data, variables), tagOf(route, variables, data))
    } catch (error) {
      return sendRefusal(reply, refusalFor(error, request, log, challenge))
    }
  }
}

/** The tag of an answer whose version is known: of nothing but the version and what was asked. */
function tagOf({ path, version }: OneRoute, variables: Readonly<Record<string, unknown>>, data: unknown): string | undefined {
  if (version === undefined) return undefined
  const asked = JSON.stringify([path, version.of.parse(data), variables])
  return `"${createHash('sha256').update(asked).digest('base64url')}"`
}

/** @param etag - of the body, where it is known without looking at it */
function sendBody(route: OneRoute, reply: FastifyReply, request: FastifyRequest, body: unknown, etag?: string): FastifyReply {
  const text = route.mediaType === undefined ? JSON.stringify(body) : String(body)
  const status = route.statusOf(body)
  if (route.headersOf !== undefined) reply.headers({ ...route.headersOf(body, request.url.split('?')[1] ?? '') })
  return route.isPublic && status === 200
    ? sendPublic(request, reply, route.mediaType ?? json, etag === undefined ? publicContent(text) : { text, etag })
    : sendJson(reply, status, text)
}

function readOwnBody({ raw }: FastifyRequest, reply: FastifyReply, maxBytes: number, intake: Intake, stallMs: number) {
  return readBody(raw, { maxBytes, intake, stallMs, begin: () => letContinue(raw, reply.raw) })
}
