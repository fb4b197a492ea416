import { LRUCache } from 'lru-cache'

/** Maximum length of a cached text; a longer one contains data instead of variables. */
export const maxCachedText = 16_384

/**
 * Weight of all entries of one cache. A parsed and planned operation takes about 230 bytes for each character of its text, and 840 for
 * each field: those of one cache stay below 96 MiB, whatever clients send.
 */
const maxWeight = 384 * 1024

/**
 * What belongs to the most recently used texts. A longer text is not kept at all: one huge text cannot push everything else out.
 * @param weightOf - memory that a value takes beside that of its text, in characters of text
 */
export function textCache<Value extends object | string>(
  max: number,
  weightOf: (value: Value) => number = () => 0,
): LRUCache<string, Value> {
  return new LRUCache({
    max,
    maxSize: maxWeight,
    maxEntrySize: maxCachedText,
    sizeCalculation: (value, text) => Math.max(1, text.length + weightOf(value)),
  })
}
