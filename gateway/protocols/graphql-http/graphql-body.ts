import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, retryAfterSeconds } from '../../../foundation/fault.ts'
import { faultStatus } from '../../../foundation/http/fault-status.ts'
import { type BufferedBody, type Intake, readBody, SlowBody, UnsupportedEncoding } from '../../../foundation/http/read-body.ts'
import { anonymousRequest, exceededLimitOfLongRequest, exceededRequestLimit, identifiedRequest } from '../../admission/request-limits.ts'

export interface BodyRules {
  /** limit for callers with a verified key or token */
  readonly maxBytes: number
  /** limit for all others */
  readonly anonymousBytes: number
  /** shared by all listeners of this process */
  readonly intake: Intake
  /** timeout without received bytes */
  readonly stallMs: number
  /** Verifies the credentials of a caller. @throws {Fault} if they are invalid */
  readonly isIdentified: (request: FastifyRequest) => Promise<boolean>
}

/** Drops a request's body and returns its bytes to the intake before the response ends, for streams that no longer need it. */
export type ReleaseBody = (request: FastifyRequest) => void

/** Longer texts are decoded, checked and parsed in separate turns of the event loop. */
const stepCharacters = 1024 * 1024

/**
 * Reads bodies within the memory limit of the process and parses JSON within its limits; a body counts until its request ends or it is released.
 * Larger limits apply once the caller's credentials are verified. Keeps only the members of a GraphQL request. A body that is not JSON becomes
 * undefined, which Apollo Server reports. @see readBody for its errors
 */
export function acceptBodies(server: FastifyInstance, rules: BodyRules): ReleaseBody {
  const held = new WeakMap<FastifyRequest, BufferedBody>()
  const responses = new WeakMap<FastifyRequest, ServerResponse>()
  const { isIdentified, anonymousBytes, intake, stallMs } = rules
  server.addHook('onRequest', async (request, reply) => void responses.set(request, reply.raw))

  const read = async (request: FastifyRequest): Promise<BufferedBody> => {
    const identified = !isSmall(request, anonymousBytes) && (await isIdentified(request))
    const maxBytes = identified ? rules.maxBytes : Math.min(rules.maxBytes, anonymousBytes)
    const body = await readBody(request.raw, { maxBytes, intake, stallMs }).catch((error: unknown) => {
      throw error instanceof Fault && error.code === 'TOO_LARGE' && maxBytes < rules.maxBytes ? largeAnonymous(maxBytes) : error
    })
    const response = responses.get(request)
    if (response === undefined || response.closed) body[Symbol.dispose]()
    else response.once('close', () => body[Symbol.dispose]())
    held.set(request, body)
    return body
  }

  /** Parses small bodies without verifying credentials, unless they exceed the limits of anonymous callers. */
  const exceededLimit = async (request: FastifyRequest, json: string): Promise<string | undefined> => {
    if (json.length <= anonymousBytes) {
      const exceeded = exceededRequestLimit(json, anonymousRequest)
      if (exceeded === undefined || !(await isIdentified(request))) return exceeded
    }
    return exceededLimitOfLongRequest(json, identifiedRequest)
  }

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const body = await read(request)
    const json = body.bytes.toString()
    body.done()
    if (json.length > stepCharacters) await setImmediate()
    const exceeded = await exceededLimit(request, json)
    if (exceeded !== undefined) throw new Fault('LIMIT_EXCEEDED', exceeded)
    if (json.length > stepCharacters) await setImmediate()
    return graphqlMembers(parsed(json))
  })
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    const body = await read(request)
    body.done()
  })
  return (request) => {
    request.body = undefined
    held.get(request)?.[Symbol.dispose]()
  }
}

/** Whether the announced size of a body is within `maxBytes`. */
function isSmall({ headers }: FastifyRequest, maxBytes: number): boolean {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers
  return ['', 'identity'].includes(encoding.trim().toLowerCase()) && length !== undefined && Number(length) <= maxBytes
}

const largeAnonymous = (maxBytes: number): Fault =>
  new Fault('TOO_LARGE', `The body is larger than ${Math.floor(maxBytes / 1024)} kB, the limit without a verified key or token`)

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Returns the members of a GraphQL request; for a batch, which is unsupported, only its kind. */
function graphqlMembers(body: unknown): unknown {
  if (Array.isArray(body)) return []
  if (typeof body !== 'object' || body === null) return body
  const request: Record<string, unknown> = { query: undefined }
  for (const [name, value] of Object.entries(body)) if (members.has(name)) request[name] = value
  return request
}
const members = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId'])

export interface BodyRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly message: string
  readonly code: string
}

/** Returns the refusal of an incomplete or invalid body; undefined for other errors. */
export function bodyRefusal(error: unknown): BodyRefusal | undefined {
  const closing = { connection: 'close' }
  if (error instanceof UnsupportedEncoding) {
    const headers = { ...closing, 'accept-encoding': 'gzip' }
    return { status: 415, headers, message: 'Content-Encoding must be identity or gzip', code: 'BAD_REQUEST' }
  }
  if (error instanceof SlowBody) return { status: 408, headers: closing, message: 'The request body timed out', code: 'DEADLINE_EXCEEDED' }
  if (!(error instanceof Fault)) return undefined
  const { message, code, details } = error
  const status = faultStatus[code]
  if (code === 'TOO_LARGE') return { status, headers: closing, message, code }
  if (code === 'LIMIT_EXCEEDED') return { status, headers: {}, message, code }
  if (status === 401) return { status, headers: { ...closing, 'www-authenticate': 'Bearer realm="civigraph"' }, message, code }
  if (status === 503) {
    return { status, headers: { ...closing, 'retry-after': retryAfterSeconds(details.retryAfterMs) }, message, code }
  }
  return { status, headers: closing, message: 'The request is invalid', code: 'BAD_REQUEST' }
}
