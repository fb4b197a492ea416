import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How slowly clients of one listener may read answers. */
export interface ReaderLimits {
  /** how long a reader may take nothing; Node notices it between this and twice as long after */
  readonly stallMs: number
  /** a reader that is behind for longer than `stallMs` must have taken this many bytes for each second of it */
  readonly bytesPerS: number
  /** bytes of all answers that may wait for readers behind; those furthest behind are cut */
  readonly waitingBytes: number
}

/** Time for which a reader may take nothing of an answer, ms. */
export const stallMs = 15_000

const readerLimits: ReaderLimits = { stallMs, bytesPerS: 2048, waitingBytes: 256 * 1024 * 1024 }

/** An answer that has begun. */
interface OpenAnswer {
  readonly response: ServerResponse
  /** what its connection had written before */
  readonly writtenBefore: number
  behindMs: number
}

/** Cuts readers that take nothing of their answer or too little, which would otherwise be held for them as long as they like. */
export function cutSlowReaders(server: FastifyInstance, given: Partial<ReaderLimits> = {}): void {
  const limits = { ...readerLimits, ...given }
  const answers = new Map<ServerResponse, OpenAnswer>()
  server.addHook('onSend', async (_, { raw }) => {
    // Node takes a write that makes progress, however slow, for activity; and sets the connection's own time again when the answer has ended.
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
