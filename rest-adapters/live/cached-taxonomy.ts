/** minimum interval between reads for unknown ids */
const freshMs = 2000

/** The cached ids of the taxonomy, read again for an unknown id, at most every two seconds. */
export class CachedTaxonomy {
  readonly #read: (signal: AbortSignal) => Promise<ReadonlySet<string>>
  #ids: ReadonlySet<string> | undefined
  #at = 0

  constructor(read: (signal: AbortSignal) => Promise<ReadonlySet<string>>) {
    this.#read = read
  }

  /** Sets the ids from a read for another purpose. */
  note(ids: ReadonlySet<string>): void {
    this.#ids = ids
    this.#at = performance.now()
  }

  /** the ids as of the last read */
  get ids(): ReadonlySet<string> {
    return this.#ids ?? new Set()
  }

  /** Whether the taxonomy has all of these ids. @throws if the read fails */
  async hasAll(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const areKnown = (): boolean => ids.every((id) => this.#ids?.has(id) === true)
    if (areKnown()) return true
    if (this.#ids === undefined || performance.now() - this.#at > freshMs) this.note(await this.#read(signal))
    return areKnown()
  }
}
