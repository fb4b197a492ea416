import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ClientBacklog } from '../../../foundation/http/backlog.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'

/** Counts the bytes of a client as they arrive, before a message is complete. */
interface ReceivedBytes {
  /** Starts a new count per message with another limit. @param maxBytes - undefined: only that of the WebSocket server */
  admit(maxBytes: number | undefined): void
  /** Records that a message is complete. */
  completed(): void
}

/** Allowance for further messages in the same chunk of the connection. */
const readAheadBytes = 128 * 1024

/** Closes a client that sends more than `initBytes` before it is admitted, or a message above its limit afterwards. */
export function limitBytes(socket: WebSocket, connection: Duplex, initBytes: number): ReceivedBytes {
  let received = 0
  let maxBytes = initBytes
  let isAdmitted = false
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= maxBytes) return
    connection.off('data', count)
    socket.pause()
    closeSoon(socket, 1009, isAdmitted ? 'Message too large' : 'Too much before the init')
  }
  connection.on('data', count)
  return {
    admit(messageBytes) {
      isAdmitted = true
      received = 0
      if (messageBytes === undefined) connection.off('data', count)
      else maxBytes = messageBytes + readAheadBytes
    },
    completed() {
      if (isAdmitted) received = 0
    },
  }
}

/** Unread data of a client above which no more is read from it. */
const highWaterBytes = 256 * 1024
/** Time limit for reading it, ms. */
const readTimeoutMs = 60_000
/** Maximum unread data: responses of all its operations may arrive at once. */
const maxBytes = 64 * 1024 * 1024

/** Sends messages to one client. */
export interface PacedSender {
  /** Resolves when the frame is written or the client has disconnected. */
  send(write: (written: () => void) => void): Promise<void>
  /** whether nothing is read from the client because it does not read */
  readonly isHeld: boolean
}

/** Sends at the speed of the client: one that sends (pings, refused operations) without reading is paused until it reads. */
export function pacedSender(socket: WebSocket, backlog: ClientBacklog): PacedSender {
  let held = 0
  return {
    get isHeld() {
      return held > 0
    },
    send: (write) =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve()
        if (socket.bufferedAmount > maxBytes) {
          closeSoon(socket, 1013, 'Slow reader')
          return resolve()
        }
        let timer: NodeJS.Timeout | undefined
        // a failed write means that the client has disconnected, which `close` reports
        write(() => {
          if (timer !== undefined) {
            clearTimeout(timer)
            held -= 1
            if (held === 0) socket.resume()
          }
          resolve()
        })
        backlog.note()
        if (socket.bufferedAmount <= highWaterBytes) return
        held += 1
        socket.pause()
        timer = setTimeout(() => closeSoon(socket, 1013, 'Slow reader'), readTimeoutMs).unref()
      }),
  }
}
