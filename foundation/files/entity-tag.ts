import { createHash } from 'node:crypto'

/** Computes a strong entity tag (RFC 9110, section 8.8.3). */
export const entityTag = (content: string | Buffer): string => `"${createHash('sha256').update(content).digest('base64url')}"`

/** Compares If-None-Match weakly (RFC 9110, section 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etag)
}
