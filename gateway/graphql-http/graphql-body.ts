import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, retryAfterSeconds } from '../../subgraphs/foundation/fault.ts'
import { faultStatus } from '../http/fault-status.ts'
import { type Intake, readBody, SlowBody, UnsupportedEncoding } from '../http/read-body.ts'

export interface BodyRules {
  readonly maxBytes: number
  /** of all listeners of this process */
  readonly intake: Intake
  /** longest time without a byte */
  readonly stallMs: number
}

/**
 * Reads bodies within what the process may hold; each counts until its request is over. One that is no JSON reaches the handler as
 * undefined: Apollo Server says what is wrong with it in the shape of GraphQL.
 * @see readBody for what it throws
 */
export function acceptBodies(server: FastifyInstance, rules: BodyRules): void {
  const responses = new WeakMap<FastifyRequest, ServerResponse>()
  server.addHook('onRequest', async (request, reply) => void responses.set(request, reply.raw))

  const read = async <Value>(request: FastifyRequest, interpret: (text: string) => Value): Promise<Value> => {
    const body = await readBody(request.raw, rules)
    const give = (): void => body[Symbol.dispose]()
    const response = responses.get(request)
    if (response === undefined || response.closed) give()
    else response.once('close', give)
    const value = interpret(body.bytes.toString())
    body.done()
    return value
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', (request: FastifyRequest) => read(request, parsed))
  server.addContentTypeParser('*', (request: FastifyRequest) => read(request, () => undefined))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export interface BodyRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly message: string
  readonly code: string
}

/** What a sender is told whose body was not read to its end; undefined for any other error. */
export function bodyRefusal(error: unknown): BodyRefusal | undefined {
  const closing = { connection: 'close' }
  if (error instanceof UnsupportedEncoding) {
    const headers = { ...closing, 'accept-encoding': 'gzip' }
    return { status: 415, headers, message: 'Content-Encoding must be identity or gzip', code: 'BAD_REQUEST' }
  }
  if (error instanceof SlowBody) return { status: 408, headers: closing, message: 'The body stopped coming', code: 'DEADLINE_EXCEEDED' }
  if (!(error instanceof Fault)) return undefined
  const { message, code, details } = error
  const status = faultStatus[code]
  if (code === 'TOO_LARGE') return { status, headers: closing, message: 'The body is too large', code }
  if (status === 503) {
    return { status, headers: { ...closing, 'retry-after': retryAfterSeconds(details.retryAfterMs) }, message, code }
  }
  return { status, headers: closing, message: 'The request cannot be read', code: 'BAD_REQUEST' }
}
