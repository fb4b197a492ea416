const maxEntries = 5000

/**
 * Index times of expressions that this process has just indexed or is indexing. Streams use it before the index: new documents are in a
 * part without an index of its own, where a lookup takes ten times as long.
 */
export class RecentIndexTimes {
  readonly #entries = new Map<string, { readonly revision: number; readonly indexedAt: Promise<string | undefined> }>()

  /** @param indexedAt - RFC 3339 when indexed; undefined after a failure. Must settle soon and not reject */
  note(id: string, revision: number, indexedAt: Promise<string | undefined>): void {
    this.#entries.set(id, { revision, indexedAt })
    if (this.#entries.size <= maxEntries) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Returns the RFC 3339 time; undefined when it is unknown for this revision. */
  async of(id: string, revision: number): Promise<string | undefined> {
    const entry = this.#entries.get(id)
    return entry?.revision === revision ? entry.indexedAt : undefined
  }
}
