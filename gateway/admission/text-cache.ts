import { LRUCache } from 'lru-cache'

/** Characters of a text that is kept; a longer one is not an operation but data written into one. */
export const maxKeptText = 16_384

/** Characters of all texts of one cache: a parsed and planned operation takes about a hundred times the memory of its text. */
const maxKeptTexts = 2 * 1024 * 1024

/** What belongs to the most recently used texts. A longer text is not kept at all: one huge text cannot push everything else out. */
export function textCache<Value extends object | string>(max: number): LRUCache<string, Value> {
  return new LRUCache({ max, maxSize: maxKeptTexts, maxEntrySize: maxKeptText, sizeCalculation: (_, text) => Math.max(1, text.length) })
}
