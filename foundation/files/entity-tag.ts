import { createHash } from 'node:crypto'

/** A strong tag: equal tag, equal bytes (RFC 9110, section 8.8.3). */
export const entityTag = (content: string | Buffer): string => `"${createHash('sha256').update(content).digest('base64url')}"`

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etag)
}
