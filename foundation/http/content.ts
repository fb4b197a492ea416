import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCodings, codedEntityTag } from './content-coding.ts'

/** Computes a strong entity tag (RFC 9110, section 8.8.3). */
export const entityTag = (content: string | Buffer): string => `"${createHash('sha256').update(content).digest('base64url')}"`

/**
 * Returns the entity tag of the content that a client has, by weak comparison of If-None-Match (RFC 9110, section 13.1.2): of the content as it is, or
 * in a coding that the client accepts. @returns undefined if the client has other content
 */
export function matchingEntityTag(headers: IncomingHttpHeaders, etag: string): string | undefined {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) return undefined
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const coded = acceptedCodings(headers['accept-encoding']).map((coding) => codedEntityTag(etag, coding))
  return [...coded, etag].find((tag) => tags.includes(tag)) ?? (tags.includes('*') ? etag : undefined)
}

/** Answers 304 if the client has the content. @returns undefined if it has not; nothing is sent then */
export function sendUnchanged({ headers }: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply | undefined {
  const known = matchingEntityTag(headers, etag)
  return known === undefined ? undefined : reply.code(304).header('etag', known).send()
}

/** Returns the decompressed text of a response and stops reading at the limit. @throws {Error} if it exceeds `maxBytes` or the transfer fails */
export async function boundedText(answer: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // leaving the loop cancels the body
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`its response exceeds ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Below, releasing takes longer than collecting. */
const minReleasedBytes = 16 * 1024

/**
 * Frees the memory of large buffers immediately instead of at the next garbage collection. External memory of megabytes per request makes V8 collect
 * its whole heap, which took half of the processor time of job intake. Released buffers are empty afterwards; small buffers and buffers that share their memory (slices,
 * Node's pool) are skipped. Never release a buffer that an asynchronous call may still read.
 */
export function release(...buffers: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of buffers)
    if (byteLength >= minReleasedBytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Adds request headers to Vary, keeping those set before (Origin for CORS). */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const existing = reply.getHeader('vary')
  const all = existing === undefined ? names : [...new Set([...String(existing).split(', ').filter(Boolean), ...names])]
  if (all.length > 0) reply.header('vary', all.join(', '))
}
