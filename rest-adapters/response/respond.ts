import type { FastifyReply, FastifyRequest } from 'fastify'
import { retryAfterSeconds } from '../../foundation/fault.ts'
import { sendTagged } from '../../foundation/http/tagged-text.ts'
import type { Refusal } from './fault-to-http.ts'

/** Content type of JSON responses. */
export const json = 'application/json'

export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  return sendUncached(reply, status, text)
}

/** @param cacheControl - who may store it (default: no-store) */
export function sendUncached(
  reply: FastifyReply,
  status: number,
  text: string,
  {
    mediaType = json,
    cacheControl = 'no-store',
  }: { readonly mediaType?: string | undefined; readonly cacheControl?: string | undefined } = {},
): FastifyReply {
  // also for a health status of 503: monitoring should retry
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds(undefined))
  return reply.code(status).header('cache-control', cacheControl).header('content-type', mediaType).send(bytesOf(text))
}

/** As bytes, since Fastify would add a charset to JSON text, which the type does not have (RFC 8259, section 11). */
function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

export function sendRefusal(reply: FastifyReply, { status, headers, body }: Refusal): FastifyReply {
  return sendJson(reply.headers({ ...headers }), status, body)
}

/** A public text with its entity tag. */
export interface PublicContent {
  readonly text: string
  readonly etag: string
}

/** Sends the content, or 304 if the client has it. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, mediaType: string, { text, etag }: PublicContent): FastifyReply {
  return sendTagged(request, reply, { content: bytesOf(text), mediaType, etag }, 'public, max-age=0, must-revalidate')
}
