/** A serialised result with its cursor. */
export interface CachedResult {
  readonly event: string
  readonly cursor: string
}

/** A memory budget shared by all streams. */
export interface MemoryBudget {
  /** remaining characters; below zero nothing is stored */
  remaining: number
}

const maxResults = 100
const maxCharacters = 256 * 1024

/** The last results of a stream, so that a client that reconnects soon can share it. */
export class RecentResults {
  readonly #budget: MemoryBudget
  readonly #results: CachedResult[] = []
  #characters = 0
  /** every result after this cursor is stored */
  #from: string | undefined

  /** @param from - cursor at which the stream started; undefined: none */
  constructor(from: string | undefined, budget: MemoryBudget) {
    this.#from = from
    this.#budget = budget
  }

  add(result: CachedResult): void {
    this.#results.push(result)
    this.#count(result.event.length)
    while (this.#results.length > maxResults || this.#characters > maxCharacters || this.#budget.remaining < 0) {
      const oldest = this.#results.shift()
      if (oldest === undefined) return
      this.#from = oldest.cursor
      this.#count(-oldest.event.length)
    }
  }

  /** @returns undefined if some are missing */
  after(cursor: string): readonly CachedResult[] | undefined {
    const index = this.#results.findLastIndex((result) => result.cursor === cursor)
    if (index >= 0) return this.#results.slice(index + 1)
    return cursor === this.#from ? [...this.#results] : undefined
  }

  /** Releases its memory; nothing is stored afterwards. */
  clear(): void {
    this.#from = undefined
    this.#results.length = 0
    this.#count(-this.#characters)
  }

  #count(characters: number): void {
    this.#characters += characters
    this.#budget.remaining -= characters
  }
}
