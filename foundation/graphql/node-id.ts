/**
 * The id of an entity over all types and components (`nodeId`). To clients it is opaque; inside it is its type and its key.
 * @param key - the values of its key, in the order of the key's fields
 */
export const nodeIdOf = (type: string, ...key: readonly string[]): string =>
  Buffer.from(JSON.stringify([type, ...key])).toString('base64url')

/** What a node id names: its type and its key; undefined for what is none. Each entity has one id, so that caches keep it once. */
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

/** longer than the longest key there is: a tenant and the id of a node */
const maxLength = 2048
