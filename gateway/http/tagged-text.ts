import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isKnown } from '../../subgraphs/foundation/files/entity-tag.ts'

/** A text, and the tag that stands for exactly it. */
export interface TaggedText {
  readonly content: string
  readonly mediaType: string
  readonly etag: string
}

export const tagged = (content: string, mediaType: string): TaggedText => ({ content, mediaType, etag: entityTag(content) })

/** The text, or 304 when the client has it; it is asked for each time. */
export function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, { content, mediaType, etag }: TaggedText): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag })
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(mediaType).send(content)
}
