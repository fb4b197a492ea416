/**
 * Returns the global id (`nodeId`) of an entity, unique over all types and components and opaque to clients. @param key - values of the key fields in
 * order
 */
export const nodeIdOf = (type: string, ...key: readonly string[]): string =>
  Buffer.from(JSON.stringify([type, ...key])).toString('base64url')

/** Decodes a global id; undefined if it is invalid. Each entity has exactly one id, so that client caches store it once. */
export function readNodeId(nodeId: string): { readonly type: string; readonly key: readonly string[] } | undefined {
  if (nodeId.length > maxLength) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(nodeId, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined
    const [type, ...key] = parts
    return type === undefined || nodeIdOf(type, ...key) !== nodeId ? undefined : { type, key }
  } catch {
    return undefined
  }
}

/** longer than the longest valid id: a tenant and the id of a node */
const maxLength = 2048
