import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Minimum read speed of the clients of a listener. */
export interface ReaderLimits {
  /** maximum time without progress; Node detects it between once and twice that time */
  readonly stallMs: number
  /** minimum bytes per second of a client that has been behind for more than `stallMs` */
  readonly bytesPerS: number
  /** limit of unread bytes of all slow clients; the slowest are cut */
  readonly waitingBytes: number
}

/** Maximum time without progress in a response, ms. */
export const stallMs = 15_000

const readerLimits: ReaderLimits = { stallMs, bytesPerS: 2048, waitingBytes: 256 * 1024 * 1024 }

/** A response in progress. */
interface OpenAnswer {
  readonly response: ServerResponse
  /** bytes written to the connection before */
  readonly writtenBefore: number
  behindMs: number
}

/** Cuts clients that read a response too slowly, which would otherwise hold memory indefinitely. */
export function cutSlowReaders(server: FastifyInstance, overrides: Partial<ReaderLimits> = {}): void {
  const limits = { ...readerLimits, ...overrides }
  const answers = new Map<ServerResponse, OpenAnswer>()
  server.addHook('onSend', async (_, { raw }) => {
    // Node counts slow writes as activity, and restores the timeout of the connection after the response.
    raw.setTimeout(limits.stallMs)
    answers.set(raw, { response: raw, writtenBefore: raw.socket?.bytesWritten ?? 0, behindMs: 0 })
    raw.once('close', () => answers.delete(raw))
  })
  const everyMs = limits.stallMs / 3
  const check = setInterval(() => {
    const behind = [...answers.values()].filter((answer) => {
      const isBehind = answer.response.writableLength > 0
      if (isBehind) answer.behindMs += everyMs
      return isBehind && answer.behindMs > everyMs
    })
    for (const answer of tooSlow(behind, limits)) answer.response.destroy()
  }, everyMs).unref()
  server.addHook('onClose', async () => clearInterval(check))
}

function tooSlow(behind: readonly OpenAnswer[], { stallMs: graceMs, bytesPerS, waitingBytes }: ReaderLimits): ReadonlySet<OpenAnswer> {
  const slow = new Set(
    behind.filter(({ response, writtenBefore, behindMs }) => {
      const bytes = (response.socket?.bytesWritten ?? 0) - writtenBefore
      return behindMs > graceMs + (bytes / bytesPerS) * 1000
    }),
  )
  let waiting = behind.reduce((sum, answer) => sum + (slow.has(answer) ? 0 : answer.response.writableLength), 0)
  for (const answer of behind.toSorted((one, other) => other.behindMs - one.behindMs)) {
    if (waiting <= waitingBytes) break
    if (slow.has(answer)) continue
    slow.add(answer)
    waiting -= answer.response.writableLength
  }
  return slow
}
