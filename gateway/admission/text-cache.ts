import { LRUCache } from 'lru-cache'

/** Maximum length of a cached text; a longer one contains data instead of variables. */
export const maxKeptText = 16_384

/** Maximum length of all texts of a cache: a parsed and planned operation takes about a hundred times the memory of its text. */
const maxKeptTexts = 2 * 1024 * 1024

/** Creates an LRU cache by text. Longer texts are not cached, so that one cannot evict all others. */
export function textCache<Value extends object | string>(max: number): LRUCache<string, Value> {
  return new LRUCache({ max, maxSize: maxKeptTexts, maxEntrySize: maxKeptText, sizeCalculation: (_, text) => Math.max(1, text.length) })
}
