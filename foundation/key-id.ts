import { createHash } from 'node:crypto'

/** Returns the id of a random key: the first 16 hex digits of its SHA-256, which do not reveal it. */
export const keyIdOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 16)
