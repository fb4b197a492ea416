import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary, entityTag, sendUnchanged } from './content.ts'

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
  request: FastifyRequest,
  reply: FastifyReply,
  { content, mediaType, etag }: TaggedText,
  cacheControl = 'no-cache',
): FastifyReply {
  addVary(reply.headers({ 'cache-control': cacheControl, etag }), 'Accept-Encoding')
  return sendUnchanged(request, reply, etag) ?? reply.type(mediaType).send(content)
}
