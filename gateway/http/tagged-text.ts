import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isKnown } from '../../foundation/files/entity-tag.ts'

/** A text, and the tag that stands for exactly it. */
export interface TaggedText {
  /** to a string of JSON a charset is added */
  readonly content: string | Uint8Array
  readonly mediaType: string
  readonly etag: string
}

export const tagged = (content: string, mediaType: string): TaggedText => ({ content, mediaType, etag: entityTag(content) })

/** The text, or 304 when the client has it. @param cacheControl - who may keep it; whoever does asks each time */
export function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content, mediaType, etag }: TaggedText,
  cacheControl = 'no-cache',
): FastifyReply {
  reply.headers({ 'cache-control': cacheControl, etag })
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(mediaType).send(content)
}
