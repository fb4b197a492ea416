import type { ServerResponse } from 'node:http'
import type { Backlog } from '../http/backlog.ts'
import type { Subscriber } from '../subscriptions/subscriber.ts'
import type { StreamFormat } from './stream-format.ts'

/** How much may wait to be read of one response. */
export interface StreamLimits {
  /** bytes from which on it is waited for, where that holds up nobody else */
  readonly highWaterBytes: number
  /** bytes beyond which it is cut */
  readonly maxBytes: number
  /** between two signs of life */
  readonly heartbeatMs: number
}

export const defaultStreamLimits: StreamLimits = { highWaterBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, heartbeatMs: 12_000 }

/**
 * Results that follow one another in one HTTP response. Opens it. A reader that lets more than `maxBytes` wait, or takes nothing for three
 * heartbeats, is cut, and so is the one furthest behind while too much waits for all.
 * @param headers - beside those of the format   @param left - called once, when nothing more is to be delivered
 */
export function resultStream(
  response: ServerResponse,
  format: StreamFormat,
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
  left: () => void,
  backlog: Backlog,
  limits: StreamLimits = defaultStreamLimits,
): Subscriber {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  // proxies pass each event on as it comes
  response.writeHead(200, { 'content-type': format.contentType, 'x-accel-buffering': 'no' })
  // a reader that takes nothing, not even signs of life
  response.setTimeout(3 * limits.heartbeatMs)
  response.write(format.opening)
  let over = false
  let goOn: (() => void) | undefined
  const finish = (): void => {
    if (over) return
    over = true
    clearInterval(heartbeat)
    goOn?.()
    left()
  }
  const cut = (): void => {
    finish()
    response.destroy()
  }
  const behind = backlog.client(() => response.writableLength, cut)
  const heartbeat = setInterval(() => {
    behind.note()
    if (!over) response.write(format.heartbeat)
  }, limits.heartbeatMs)
  response.once('close', () => {
    behind.end()
    finish()
  })
  response.on('drain', () => goOn?.())

  const write = (text: string): Promise<void> | undefined => {
    // Before more is written: that leaves with the next turn of the loop, and is no sign of a slow reader.
    behind.note()
    if (over) return undefined
    if (response.writableLength + text.length > limits.maxBytes) return void cut()
    response.write(text)
    if (response.writableLength <= limits.highWaterBytes) return undefined
    setImmediate(behind.note)
    return new Promise((resolve) => {
      goOn = resolve
    })
  }
  return {
    deliver: (event, cursor) => write(format.result(event, cursor)),
    end(last) {
      if (over) return
      finish()
      response.end(`${last === undefined ? '' : format.broken(last)}${format.closing}`)
    },
  }
}
