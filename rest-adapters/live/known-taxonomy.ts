/** a taxonomy may have changed since it was read; it is not read again for each wrong id */
const freshMs = 2000

/** The ids of the taxonomy as they were last read: read again for an id that they lack, but not more often than every two seconds. */
export class KnownTaxonomy {
  readonly #read: (signal: AbortSignal) => Promise<ReadonlySet<string>>
  #ids: ReadonlySet<string> | undefined
  #at = 0

  constructor(read: (signal: AbortSignal) => Promise<ReadonlySet<string>>) {
    this.#read = read
  }

  /** Takes what was read for another purpose. */
  note(ids: ReadonlySet<string>): void {
    this.#ids = ids
    this.#at = performance.now()
  }

  /** Whether the taxonomy has all of these. Fails as the reading does. */
  async hasAll(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const areKnown = (): boolean => ids.every((id) => this.#ids?.has(id) === true)
    if (areKnown()) return true
    if (this.#ids === undefined || performance.now() - this.#at > freshMs) this.note(await this.#read(signal))
    return areKnown()
  }
}
