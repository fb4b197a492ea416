/**
 * The most recently used entries, bounded by their number and by the sum of their weights (characters of the key).
 * What is heavier than `heaviest` is not kept at all, so that one huge text cannot push everything else out.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #most: number
  readonly #heaviest: number

  /** @param most - entries  @param heaviest - characters of a key; the whole holds at most `most * heaviest` of them */
  constructor(most: number, heaviest = 16_384) {
    this.#most = most
    this.#heaviest = heaviest
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    // A Map keeps insertion order: moving an entry to the end on use makes the first one the least recently used.
    if (this.#entries.size > this.#most / 2) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: string, value: Value): void {
    if (key.length > this.#heaviest) return
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
