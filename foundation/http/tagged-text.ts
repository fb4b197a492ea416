import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, matchesEntityTag } from '../../foundation/http/content.ts'

/** A text with its entity tag. */
export interface TaggedText {
  /** for a string of JSON, Fastify would add a charset */
  readonly content: string | Uint8Array
  readonly mediaType: string
  readonly etag: string
}

export const tagged = (content: string, mediaType: string): TaggedText => ({ content, mediaType, etag: entityTag(content) })

/** Sends the text, or 304 if the client has it. @param cacheControl - who may cache it; caches revalidate each time */
export function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content, mediaType, etag }: TaggedText,
  cacheControl = 'no-cache',
): FastifyReply {
  reply.headers({ 'cache-control': cacheControl, etag })
  if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(mediaType).send(content)
}
