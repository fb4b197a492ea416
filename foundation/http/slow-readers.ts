import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { surplus } from './backlog.ts'

/** Minimum read speed of the clients of a listener. */
export interface ReaderLimits {
  /** maximum time without progress; Node detects it between once and twice that time */
  readonly stallMs: number
  /** minimum bytes per second of a client that has been behind for more than `stallMs` */
  readonly bytesPerS: number
  /** limit of unread bytes of all clients; beyond it, the slowest clients of the listener with the most unread bytes are disconnected */
  readonly waitingBytes: number
}

/** Maximum time without progress in a response, ms. */
export const stallMs = 15_000

const readerLimits: ReaderLimits = { stallMs, bytesPerS: 2048, waitingBytes: 256 * 1024 * 1024 }

/** A response in progress. */
interface OpenAnswer {
  readonly response: ServerResponse
  /** port of the listener; of a request that another listener forwards, the port of that listener */
  readonly listener: number | undefined
  /** its connection; the response of a pipelined request has none until those before it are written */
  readonly socket: Socket
  /** bytes written to the connection before */
  readonly writtenBefore: number
  behindMs: number
}

const watches = new WeakMap<object, (response: ServerResponse, socket: Socket) => void>()

/** Limits the reader of a hijacked response like others. */
export function watchReader({ server, raw }: FastifyRequest, response: ServerResponse): void {
  watches.get(server.server)?.(response, raw.socket)
}

/** a response of this size may exceed the limit of all at once */
const largeResponse = 64 * 1024

/** Cuts clients that read a response too slowly, which would otherwise hold memory indefinitely. */
export function cutSlowReaders(server: FastifyInstance, overrides: Partial<ReaderLimits> = {}): void {
  const limits = { ...readerLimits, ...overrides }
  const answers = new Map<ServerResponse, OpenAnswer>()
  /** Cuts the slowest readers while all together have too much unread data. */
  const makeRoom = (): void => {
    const unread = [...answers.values()].filter(({ response, socket }) => response.writableLength > 0 && !socket.destroyed)
    const slowestFirst = unread.toSorted((one, other) => other.behindMs - one.behindMs)
    for (const { socket } of surplus(slowestFirst, ({ response }) => response.writableLength, limits.waitingBytes)) socket.destroy()
  }
  const watch = (response: ServerResponse, socket: Socket): void => {
    answers.set(response, { response, listener: socket.localPort, socket, writtenBefore: socket.bytesWritten, behindMs: 0 })
    response.once('close', () => answers.delete(response))
  }
  watches.set(server.server, watch)
  server.addHook('onSend', async ({ raw: request }, { raw }, payload) => {
    // Node counts slow writes as activity, and restores the timeout of the connection after the response.
    raw.setTimeout(limits.stallMs)
    watch(raw, request.socket)
    if (lengthOf(payload) > largeResponse) setImmediate(makeRoom)
  })
  const everyMs = limits.stallMs / 3
  const check = setInterval(() => {
    // the response of a pipelined request is not closed with its connection
    for (const { response, socket } of answers.values()) if (socket.destroyed) answers.delete(response)
    const behind = [...answers.values()].filter((answer) => {
      const isBehind = answer.response.writableLength > 0
      if (isBehind) answer.behindMs += everyMs
      return isBehind && answer.behindMs > everyMs
    })
    for (const { socket } of tooSlow(behind, limits)) socket.destroy()
    makeRoom()
  }, everyMs).unref()
  server.addHook('onClose', async () => clearInterval(check))
}

const tooSlow = (behind: readonly OpenAnswer[], { stallMs: graceMs, bytesPerS }: ReaderLimits): readonly OpenAnswer[] =>
  behind.filter(({ socket, writtenBefore, behindMs }) => behindMs > graceMs + ((socket.bytesWritten - writtenBefore) / bytesPerS) * 1000)

const lengthOf = (payload: unknown): number => (typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0)
