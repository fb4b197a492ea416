import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { alwaysOpenGate, type LoadGate } from '../foundation/concurrency/load-gate.ts'
import type { Config } from '../foundation/config/config.ts'
import type { Authentication } from '../foundation/http/authentication.ts'
import { clientAddress } from '../foundation/http/client-address.ts'
import { compressAnswers, leaveUncompressed } from '../foundation/http/compressed-answers.ts'
import { allowOrigins } from '../foundation/http/cors.ts'
import { type ListenerLimits, listener } from '../foundation/http/listener.ts'
import { listenerUrl } from '../foundation/http/listener-url.ts'
import { Intake } from '../foundation/http/read-body.ts'
import { requestIdOf } from '../foundation/http/request-context.ts'
import type { RequestTelemetry } from '../foundation/http/request-telemetry.ts'
import type { ServerCertificate } from '../foundation/http/server-certificate.ts'
import { cutSlowReaders } from '../foundation/http/slow-readers.ts'
import type { Part } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import type { ComponentName } from '../foundation/process/build-info.ts'
import type { Executor } from '../gateway/executor/executor.ts'
import { fileHandler } from './handlers/file-handler.ts'
import { fixedHandler, readinessHandler } from './handlers/fixed-handler.ts'
import type { Handler, HandlerDependencies } from './handlers/handler.ts'
import { operationHandler } from './handlers/operation-handler.ts'
import { pagesHandler } from './handlers/pages-handler.ts'
import { refusalFor } from './handlers/refusals.ts'
import { answerUnrouted } from './handlers/unrouted.ts'
import { uploadHandler } from './handlers/upload-handler.ts'
import type { Sockets } from './live/sockets.ts'
import { acceptHttp, httpOptions, sendContinue, uploadTimeoutMs } from './request/http-protocol.ts'
import type { BodyThread } from './request/large-body.ts'
import { refusal } from './response/fault-to-http.ts'
import { sendRefusal } from './response/respond.ts'
import type { Route } from './route/route.ts'

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
  /** shared by the listeners of a process; large bodies are decoded on the event loop when absent */
  readonly bodyThread?: BodyThread
  /** admits or refuses each request before its work begins (default: admits all) */
  readonly gate?: Pick<LoadGate, 'forProtocol'>
  /** the listener speaks HTTPS with it (default: HTTP) */
  readonly certificate?: ServerCertificate | undefined
  /** records requests and responses (default: no recording) */
  readonly requests?: RequestTelemetry | undefined
  /** returns why this process must not get requests, for /health/ready (default: nothing) */
  readonly readinessProblem?: () => string | undefined
  /** how long a stop waits for requests in progress */
  readonly graceMs?: number
  /** how long a client may read nothing of its response */
  readonly readerStallMs?: number
  /** limits of the listener that differ from the defaults */
  readonly listening?: Partial<ListenerLimits>
  /** further handlers, each for a path of this listener and the paths below it */
  readonly mounts?: readonly Mount[]
  /** the WebSocket side of this listener */
  readonly sockets?: Sockets
}

export interface Mount {
  /** without a slash at its end */
  readonly path: string
  /** @param client - client address, by TRUST_PROXY */
  handle(request: IncomingMessage, response: ServerResponse, client?: string): void
}

/** One component's documented operations on a port of their own. */
export interface RestServer extends Part {
  /** http://host:port, once started */
  readonly address: string
}

/**
 * Serves a component's routes, each by one GraphQL operation through the executor.
 * @throws {Error} when an operation does not fit the executor's schema, with every error
 */
export function restServer(options: RestServerOptions): RestServer {
  const { component, routes, config, port, graceMs = 10_000 } = options
  const log = options.log.child({ component: `rest:${component}` })
  const { executor, authentication } = options
  const parts: HandlerDependencies = {
    executor,
    authentication,
    config,
    gate: options.gate?.forProtocol('rest') ?? alwaysOpenGate,
    log,
    intake: options.intake ?? new Intake(config.limits.intakeInflightBytes),
    bodyThread: options.bodyThread,
  }
  const server = listener(
    options.certificate,
    () => options.sockets !== undefined,
    {
      ...httpOptions,
      genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    },
    {
      ...(routes.some(({ kind }) => kind === 'upload') && { arrivalTimeoutMs: uploadTimeoutMs }),
      ...options.listening,
    },
  )
  options.requests?.observe(server, `rest ${component}`)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })
  acceptHttp(server)
  // longer than an operation may take: while the next page of a long response is read, nothing is sent
  cutSlowReaders(server, { stallMs: options.readerStallMs ?? 1.5 * config.limits.requestTimeoutMs })
  allowOrigins(server, config.corsOrigins)
  compressAnswers(server)
  server.setErrorHandler(async (error, request, reply) => sendRefusal(reply, refusalFor(error, request, log)))
  let serving = false
  const isServing = (): boolean => serving
  for (const route of routes)
    server.route({
      method: route.method,
      url: route.path,
      ...(route.hasSecrets && { onRequest: async (_, reply) => leaveUncompressed(reply) }),
      handler: handlerOf(route, parts, isServing, options.readinessProblem),
    })
  for (const mount of options.mounts ?? []) addMount(server, mount, config.trustedProxies)
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
      serving = true
    },
    async stop() {
      serving = false
      await options.sockets?.stop()
      const force = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await server.close()
      clearTimeout(force)
    },
  }
}

/** Passes requests to a mounted handler unchanged; responses have the request id and CORS headers of this listener. */
function addMount(server: FastifyInstance, { path, handle }: Mount, trustedProxies: number): void {
  const handler: Handler = async (request, reply) => {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
    sendContinue(request.raw, reply.raw)
    handle(request.raw, reply.raw, clientAddress(request.raw, trustedProxies))
  }
  for (const url of [path, `${path}/*`]) server.all(url, handler)
}

function handlerOf(
  route: Route,
  parts: HandlerDependencies,
  isServing: () => boolean,
  problem: RestServerOptions['readinessProblem'],
): Handler {
  switch (route.kind) {
    case 'operation':
      return operationHandler(route, parts)
    case 'pages':
      return pagesHandler(route, parts)
    case 'upload':
      return uploadHandler(route, parts)
    case 'file':
      return fileHandler(route, parts)
    case 'fixed':
      return fixedHandler(route)
    case 'readiness':
      return readinessHandler(isServing, problem)
    case 'socket':
      return async (_, reply) =>
        sendRefusal(reply, refusal(426, 'This path requires a WebSocket connection', { upgrade: 'websocket', connection: 'Upgrade' }))
  }
}
