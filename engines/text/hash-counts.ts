const minSlots = 512
/** maximum load factor: beyond it probes become long */
const maxFilled = 0.5

/** The two arrays of a table, which can be passed between threads. */
export interface HashCountArrays {
  readonly hashes: Int32Array
  /** 0: the slot is empty */
  readonly counts: Float64Array
}

/**
 * Positive amounts by 32-bit hash: open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4). A text has hundreds of grams,
 * for which a `Map` would allocate and rehash entries.
 */
export class HashCounts implements HashCountArrays {
  #hashes: Int32Array
  #counts: Float64Array
  #filled = 0

  constructor({ hashes, counts }: HashCountArrays = { hashes: new Int32Array(minSlots), counts: new Float64Array(minSlots) }) {
    this.#hashes = hashes
    this.#counts = counts
    for (const count of counts) if (count !== 0) this.#filled++
  }

  /** By slot; those with count 0 are empty. */
  get hashes(): Int32Array {
    return this.#hashes
  }

  get counts(): Float64Array {
    return this.#counts
  }

  /** @param amount - greater than 0 */
  add(hash: number, amount: number): void {
    const slot = this.#slotOf(hash)
    const before = this.#counts[slot] ?? 0
    this.#hashes[slot] = hash
    this.#counts[slot] = before + amount
    if (before === 0 && ++this.#filled > maxFilled * this.#counts.length) this.#grow()
  }

  /** @returns 0 if it was never added */
  get(hash: number): number {
    return this.#counts[this.#slotOf(hash)] ?? 0
  }

  /** Visits every hash once, unordered. */
  each(visit: (hash: number, amount: number) => void): void {
    for (let slot = 0; slot < this.#counts.length; slot++) {
      const amount = this.#counts[slot] ?? 0
      if (amount !== 0) visit(this.#hashes[slot] ?? 0, amount)
    }
  }

  /** Returns its slot, or the slot where it would be inserted. */
  #slotOf(hash: number): number {
    const key = hash | 0
    const last = this.#hashes.length - 1
    let slot = key & last
    while (this.#counts[slot] !== 0 && this.#hashes[slot] !== key) slot = (slot + 1) & last
    return slot
  }

  #grow(): void {
    const smaller = new HashCounts({ hashes: this.#hashes, counts: this.#counts })
    this.#hashes = new Int32Array(2 * smaller.hashes.length)
    this.#counts = new Float64Array(2 * smaller.counts.length)
    smaller.each((hash, amount) => {
      const slot = this.#slotOf(hash)
      this.#hashes[slot] = hash
      this.#counts[slot] = amount
    })
  }
}
