import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { lingerAfterRefusal, problemOfHost, refuseConnection, refuseExpectations } from '../../foundation/http/refused-connection.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import { routableUrl } from './request-url.ts'

/** Time limit of a request whose body is streamed. */
export const uploadTimeoutMs = 3_600_000

const bodyOfRefusal = (status: number, reason: string): string => refusal(status, reason).body

/** Options of Fastify for HTTP: without its logging, routes and refusals. */
export const httpOptions = {
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  exposeHeadRoutes: false,
  // Host is checked here: Node would answer without a body.
  http: { requireHostHeader: false },
  routerOptions: {
    // a job id may be any text; the head of a request is limited to 16 KB in any case
    maxParamLength: 16_384,
    // keeps a leading `?` of a parameter name, which URLSearchParams would drop
    querystringParser: (text: string) => Object.fromEntries(new URLSearchParams(`&${text}`)),
  },
  rewriteUrl: ({ url }: IncomingMessage) => routableUrl(url ?? '/'),
  clientErrorHandler: refuseConnection(bodyOfRefusal),
} as const satisfies FastifyHttpOptions<Server>

/** Requests whose client waits for `100 Continue` before sending the body. */
const waiting = new WeakSet<IncomingMessage>()

/** Lets routes read bodies themselves, after authentication. */
export function acceptHttp(server: FastifyInstance): void {
  for (const method of METHODS) if (method !== 'CONNECT') server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    server.server.emit('request', request, response)
  })
  refuseExpectations(server, bodyOfRefusal)
  server.addHook('onRequest', async ({ raw }, reply) => {
    const problem = problemOfHost(raw)
    if (problem !== undefined) return sendRefusal(reply, refusal(400, problem))
  })
  server.addHook('onSend', async ({ raw }, reply) => {
    // The client would not know whether the body is still expected.
    if (waiting.has(raw)) reply.header('connection', 'close')
  })
  lingerAfterRefusal(server)
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
