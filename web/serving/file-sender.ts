import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary, entityTag, sendUnchanged } from '../../foundation/http/content.ts'
import { codedEntityTag, isCompressible } from '../../foundation/http/content-coding.ts'
import { compressible } from './compressible.ts'
import type { PageFile } from './page-file.ts'

export type FileSender = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const forGood = 'public, max-age=31536000, immutable'
/** browsers revalidate on each request, so that an upgrade shows the new page */
const revalidated = 'public, max-age=0, must-revalidate'

/** Sends a publicly cacheable file, compressed where the client accepts it, with one ETag per coding and 304 for a match. */
export function fileSender({ mediaType, content, codings, isNamedByContent }: Omit<PageFile, 'path'>): FileSender {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const etag = entityTag(bytes)
  const compressed = isCompressible(mediaType) ? compressible(bytes, codings) : undefined
  const keeping = isNamedByContent === true ? forGood : revalidated
  return async (request, reply) => {
    if (compressed !== undefined) addVary(reply, 'Accept-Encoding')
    reply.headers({ 'cache-control': keeping, etag })
    const unchanged = sendUnchanged(request, reply, etag)
    if (unchanged !== undefined) return unchanged
    reply.code(200).header('content-type', mediaType)
    const coded = await compressed?.for(request.headers['accept-encoding'])
    if (coded === undefined) return reply.send(bytes)
    return reply.headers({ etag: codedEntityTag(etag, coded.coding), 'content-encoding': coded.coding }).send(coded.bytes)
  }
}
