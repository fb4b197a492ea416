import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ClientBacklog } from '../http/backlog.ts'
import { closeSoon } from '../http/close-socket.ts'

/** Counts the bytes of a client as they arrive, and not when a message is complete. */
interface ReceivedBytes {
  /** Begins a new count for each message, with another limit. @param maxBytes - undefined: that of the WebSocket server alone */
  admit(maxBytes: number | undefined): void
  /** Reports that a message has arrived. */
  completed(): void
}

/** Messages that follow in the same pieces of the connection. */
const readAheadBytes = 128 * 1024

/** Closes a client that sends more than `initBytes` before it is admitted, or a larger message than it may send afterwards. */
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

/** What may wait for a client before nothing more is read from it. */
const highWaterBytes = 256 * 1024
/** How long it then has to read. */
const readTimeoutMs = 60_000
/** What may wait for it at most: its operations may all be answered at once. */
const maxBytes = 64 * 1024 * 1024

/** What is said to one client. */
export interface PacedSender {
  /** Resolves when the frame is written, or when the client is gone. */
  send(write: (written: () => void) => void): Promise<void>
  /** whether the client is not read from, because it does not read */
  readonly isHeld: boolean
}

/** Answers a client as fast as it reads: one that asks without reading (pings, refused operations) is not heard until it has read. */
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
        // A failed write means that the client is gone, which `close` reports.
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
