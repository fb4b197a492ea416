import type { FastifyReply, FastifyRequest } from 'fastify'
import { retryAfterSeconds } from '../../foundation/fault.ts'
import { sendTagged } from '../../gateway/http/tagged-text.ts'
import type { Refusal } from './fault-to-http.ts'

/** JSON as every answer has it. */
export const json = 'application/json'

export function sendJson(reply: FastifyReply, status: number, text: string): FastifyReply {
  // of a health that is down, too: whoever asks is to ask again
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds(undefined))
  return reply.code(status).header('cache-control', 'no-store').header('content-type', json).send(bytesOf(text))
}

/** To a text of JSON Fastify would add a charset, which the type does not have (RFC 8259, section 11). */
function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

export function sendRefusal(reply: FastifyReply, { status, headers, body }: Refusal): FastifyReply {
  return sendJson(reply.headers({ ...headers }), status, body)
}

/** A text that anyone may keep, with the tag that stands for exactly it. */
export interface PublicContent {
  readonly text: string
  readonly etag: string
}

/** The content, or 304 when the caller has it. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, mediaType: string, { text, etag }: PublicContent): FastifyReply {
  return sendTagged(request, reply, { content: bytesOf(text), mediaType, etag }, 'public, max-age=0, must-revalidate')
}
