import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import { lacksHost, lingerAfterRefusal, refuseConnection, refuseExpectations } from '../../gateway/http/refused-connection.ts'
import { refusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import { routableUrl } from './request-url.ts'

/** Longest time for a request to arrive whose body is read as it comes. */
export const uploadTimeoutMs = 3_600_000

const bodyOfRefusal = (status: number, reason: string): string => refusal(status, reason).body

/** How Fastify is to speak HTTP for us: no logs, no routes of its own, no refusals of its own. */
export const httpOptions = {
  forceCloseConnections: 'idle',
  return503OnClosing: false,
  exposeHeadRoutes: false,
  // The check of the Host header is ours: Node answers without a body.
  http: { requireHostHeader: false },
  routerOptions: {
    // a job id may be any text; the head of a request is at most 16 KB in any case
    maxParamLength: 16_384,
    // a query that begins with another `?` has it in a name, which URLSearchParams would leave out
    querystringParser: (text: string) => Object.fromEntries(new URLSearchParams(`&${text}`)),
  },
  rewriteUrl: ({ url }: IncomingMessage) => routableUrl(url ?? '/'),
  clientErrorHandler: refuseConnection(bodyOfRefusal),
} as const satisfies FastifyHttpOptions<Server>

/** Requests whose sender waits for `100 Continue` before it sends the body. */
const waiting = new WeakSet<IncomingMessage>()

/** Bodies are read by the routes themselves, after they know who asks. */
export function acceptHttp(server: FastifyInstance): void {
  for (const method of METHODS) if (method !== 'CONNECT') server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    server.server.emit('request', request, response)
  })
  refuseExpectations(server, bodyOfRefusal)
  server.addHook('onRequest', async ({ raw }, reply) => {
    if (lacksHost(raw)) return sendRefusal(reply, refusal(400, 'The Host header is missing'))
  })
  server.addHook('onSend', async ({ raw }, reply) => {
    // Its sender would not know whether we still want the body.
    if (waiting.has(raw)) reply.header('connection', 'close')
  })
  lingerAfterRefusal(server)
}

/** Asks the sender for the body, if it waits to be asked. */
export function letContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
