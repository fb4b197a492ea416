import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { endSoon } from './close-socket.ts'
import { requestIdOf } from './request-context.ts'

/** How long an unfinished body is discarded after a refusal, so that the client can read the response. */
const lingerMs = 3000

/** Lets a client that was refused while sending its body read the response instead of a connection error. */
export function lingerAfterRefusal(server: FastifyInstance): void {
  server.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.resume()
    const cut = setTimeout(() => raw.socket.destroy(), lingerMs)
    raw.once('close', () => clearTimeout(cut))
  })
}

/**
 * Writes the response to a request that the HTTP parser rejects, for which there is no reply object. @param bodyOf - JSON in the format of this
 * listener
 */
export const refuseConnection =
  (bodyOf: (status: number, reason: string) => string | Uint8Array) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const [status, reason] = statusOf(error)
    const body = Buffer.from(bodyOf(status, reason))
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      'content-type: application/json',
      `content-length: ${body.byteLength}`,
      'connection: close',
    ]
    endSoon(socket, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  }

/**
 * Returns what is wrong with the Host header of a request: missing in HTTP/1.1, which Node would refuse without a body, malformed, or repeated,
 * so that a proxy may use another value (RFC 9112, section 3.2).
 */
export function problemOfHost({ httpVersion, rawHeaders, headers }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length
  if (count > 1) return 'The Host header is repeated'
  if (count === 0) return httpVersion === '1.1' ? 'The Host header is missing' : undefined
  return isHost(headers.host ?? '') ? undefined : 'The Host header is malformed'
}

/** Refuses unknown expectations, which Node would answer without a body. @param bodyOf - as for a refused connection */
export function refuseExpectations(
  server: FastifyInstance,
  bodyOf: (status: number, reason: string, requestId: string) => string | Uint8Array,
): void {
  server.server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const requestId = requestIdOf(headers['x-request-id'])
    const body = Buffer.from(bodyOf(417, 'Expectation Failed', requestId))
    response
      .setHeader('x-request-id', requestId)
      .writeHead(417, { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' })
      .end(body)
  })
}

function statusOf({ code }: NodeJS.ErrnoException): readonly [status: number, reason: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large']
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? [408, 'Request Timeout'] : [400, 'Bad Request']
}

/** Whether a text is a host with an optional port (RFC 9112, section 3.2), from which libraries make a URL. */
const isHost = (text: string): boolean => /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`http://${text}/`)
