import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const closeMs = 2000

/** Closes with a code; cuts a client that does not complete the close within 2 s. */
export function closeSoon(socket: WebSocket, code = 1000, reason = ''): void {
  if (socket.readyState === socket.CLOSED) return
  socket.close(code, reason)
  const cut = setTimeout(() => socket.terminate(), closeMs)
  socket.once('close', () => clearTimeout(cut))
}

/** Writes the last bytes of a connection and ends it; cuts a client that keeps it open after 2 s. */
export function endSoon(connection: Duplex, last: string | Uint8Array): void {
  connection.on('error', () => connection.destroy())
  connection.resume().end(last)
  const cut = setTimeout(() => connection.destroy(), closeMs)
  connection.once('close', () => clearTimeout(cut))
}

/** Refuses a WebSocket upgrade over HTTP. @param body - JSON */
export function refuseUpgrade(connection: Duplex, status: number, body = ''): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(body === '' ? [] : ['content-type: application/json']),
    `content-length: ${Buffer.byteLength(body)}`,
    ...(status === 503 || status === 429 ? ['retry-after: 5'] : []),
    'connection: close',
  ]
  endSoon(connection, `${head.join('\r\n')}\r\n\r\n${body}`)
}
