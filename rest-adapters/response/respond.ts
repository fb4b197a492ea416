import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { retryAfterSeconds } from '../../subgraphs/foundation/fault.ts'
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

/** Bytes that anyone may keep, with the tag that stands for exactly them. */
export interface PublicContent {
  readonly text: string
  readonly etag: string
}

/** @returns with a strong tag: equal tag, equal bytes (RFC 9110, section 8.8.3) */
export function publicContent(text: string): PublicContent {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}

/** How public content is sent. */
export interface PublicDelivery {
  /** other bytes have another address: nobody need ask again */
  readonly forGood?: boolean
  /** the bytes in fewer */
  readonly coded?: { readonly coding: string; readonly bytes: Buffer } | undefined
}

/** The content, or 304 when the caller has it; each coding of it has a tag of its own. */
export function sendPublic(
  request: FastifyRequest,
  reply: FastifyReply,
  mediaType: string,
  { text, etag }: PublicContent,
  { forGood = false, coded }: PublicDelivery = {},
): FastifyReply {
  const tag = coded === undefined ? etag : etag.replace(/"$/, `-${coded.coding}"`)
  reply.header('cache-control', forGood ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate').header('etag', tag)
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.code(200).header('content-type', mediaType)
  return coded === undefined ? reply.send(bytesOf(text)) : reply.header('content-encoding', coded.coding).send(coded.bytes)
}

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etag)
}
