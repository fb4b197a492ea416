import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { requestIdOf } from '../request-context.ts'
import { endSoon } from './close-socket.ts'

/** After a refusal, a body that is still on its way is thrown away for so long, so that its sender gets to read the answer. */
const lingerMs = 3000

/** Lets a sender who was refused in the middle of its body read why, instead of a broken connection. */
export function lingerAfterRefusal(server: FastifyInstance): void {
  server.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.resume()
    const cut = setTimeout(() => raw.socket.destroy(), lingerMs)
    raw.once('close', () => clearTimeout(cut))
  })
}

/**
 * What the HTTP parser refuses has no request and no reply: the answer is written by hand.
 * @param bodyOf - the JSON that says so in the words of this listener
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

/** Whether a request does not say whom it is for, as one of HTTP/1.1 has to. Node would refuse it without a body. */
export const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean => httpVersion === '1.1' && headers.host === undefined

/** An expectation that nobody knows has no reply either, and Node would answer it without a body. @param bodyOf - as with a refused connection */
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
