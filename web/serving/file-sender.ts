import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, matchesEntityTag } from '../../foundation/http/content.ts'
import { compressible } from './compressible.ts'
import type { PageFile } from './page-file.ts'

export type FileSender = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const forGood = 'public, max-age=31536000, immutable'
/** browsers revalidate on each request, so that an upgrade shows the new page */
const revalidated = 'public, max-age=0, must-revalidate'

/**
 * Sends a publicly cacheable file, compressed where the client accepts it, with one ETag per coding and 304 for a match.
 * @param isCompressed - false: sends the documented bytes only
 */
export function fileSender(
  { mediaType, content, codings, isNamedByContent }: Omit<PageFile, 'path'>,
  { isCompressed = true }: { readonly isCompressed?: boolean } = {},
): FileSender {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const etag = entityTag(bytes)
  // images and fonts are already compressed
  const isWorthIt = isCompressed && !/^(?:font|image\/(?!svg))/.test(mediaType)
  const compressed = isWorthIt ? compressible(bytes, codings) : undefined
  const keeping = isNamedByContent === true ? forGood : revalidated
  return async (request, reply) => {
    if (compressed !== undefined) reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
    const coded = await compressed?.for(request.headers['accept-encoding'])
    const tag = coded === undefined ? etag : etag.replace(/"$/, `-${coded.coding}"`)
    reply.headers({ 'cache-control': keeping, etag: tag })
    if (matchesEntityTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.code(200).header('content-type', mediaType)
    return coded === undefined ? reply.send(bytes) : reply.header('content-encoding', coded.coding).send(coded.bytes)
  }
}
