import { createHash } from 'node:crypto'

/** Computes a strong entity tag (RFC 9110, section 8.8.3). */
export const entityTag = (content: string | Buffer): string => `"${createHash('sha256').update(content).digest('base64url')}"`

/** Compares If-None-Match weakly (RFC 9110, section 13.1.2). */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etag)
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

/**
 * Frees the memory of large buffers immediately instead of at the next garbage collection. External memory of megabytes per request makes V8 collect
 * its whole heap, which took half of the processor time of job intake. The buffers are empty afterwards; buffers that share their memory (slices,
 * Node's pool) are skipped. Never release a buffer that an asynchronous call may still read.
 */
export function release(...buffers: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of buffers)
    if (byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
