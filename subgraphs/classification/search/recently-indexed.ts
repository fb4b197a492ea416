const maxKept = 5000

/**
 * Since when the search index has the expressions that this process puts there, also while it does. Whoever tells of new expressions asks
 * here first: a new expression lies in a part of the index that has no index of its own yet, where looking for it takes ten times as long
 * as keeping this.
 */
export class RecentlyIndexed {
  readonly #kept = new Map<string, { readonly revision: number; readonly indexedAt: Promise<string | undefined> }>()

  /** @param indexedAt - RFC 3339, once it is there; undefined when it could not be put there. Must not reject, nor take long */
  note(id: string, revision: number, indexedAt: Promise<string | undefined>): void {
    this.#kept.set(id, { revision, indexedAt })
    if (this.#kept.size <= maxKept) return
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
  }

  /** RFC 3339; undefined when it is not known of this revision. */
  async of(id: string, revision: number): Promise<string | undefined> {
    const kept = this.#kept.get(id)
    return kept?.revision === revision ? kept.indexedAt : undefined
  }
}
