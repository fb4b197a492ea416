import type { ServerResponse } from 'node:http'
import type { Backlog } from '../../../foundation/http/backlog.ts'
import type { Subscriber } from '../../pipeline/subscriptions/subscriber.ts'
import type { StreamFormat } from './subscription-format.ts'

/** Limits of unread data per response. */
export interface StreamLimits {
  /** bytes above which the sender waits, unless that delays other subscribers */
  readonly highWaterBytes: number
  /** bytes above which the connection is cut; one larger event is sent to a client that has read everything */
  readonly maxBytes: number
  /** interval of heartbeats, ms */
  readonly heartbeatMs: number
}

export const defaultStreamLimits: StreamLimits = { highWaterBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, heartbeatMs: 12_000 }

/**
 * Opens a stream of results in one HTTP response. Cuts a client with more than `maxBytes` unread or no progress for three heartbeats, and the slowest
 * one while the total backlog is too large. @param headers - in addition to those of the format
 * @param onEnd - called once, when nothing more will be delivered
 */
export function resultStream(
  response: ServerResponse,
  format: StreamFormat,
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
  onEnd: () => void,
  backlog: Backlog,
  limits: StreamLimits = defaultStreamLimits,
): Subscriber {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  // proxies must not buffer
  response.writeHead(200, { 'content-type': format.contentType, 'x-accel-buffering': 'no' })
  // closes a connection that reads nothing, not even heartbeats
  response.setTimeout(3 * limits.heartbeatMs)
  response.write(format.opening)
  let ended = false
  let resume: (() => void) | undefined
  const finish = (): void => {
    if (ended) return
    ended = true
    clearInterval(heartbeat)
    resume?.()
    onEnd()
  }
  const cut = (): void => {
    finish()
    response.destroy()
  }
  const clientBacklog = backlog.client(() => response.writableLength, cut, response.socket?.localPort)
  const heartbeat = setInterval(() => {
    clientBacklog.note()
    if (!ended) response.write(format.heartbeat)
  }, limits.heartbeatMs)
  response.once('close', () => {
    clientBacklog.end()
    finish()
  })
  response.on('drain', () => resume?.())

  const write = (text: string): Promise<void> | undefined => {
    // Before the write: new data leaves in the next turn of the loop and does not indicate a slow client.
    clientBacklog.note()
    if (ended) return undefined
    if (response.writableLength > 0 && response.writableLength + text.length > limits.maxBytes) return void cut()
    response.write(text)
    if (response.writableLength <= limits.highWaterBytes) return undefined
    setImmediate(clientBacklog.note)
    return new Promise((resolve) => {
      resume = resolve
    })
  }
  return {
    deliver: (event, cursor) => write(format.result(event, cursor)),
    end(last) {
      if (ended) return
      finish()
      response.end(`${last === undefined ? '' : format.broken(last)}${format.closing}`)
    },
  }
}
