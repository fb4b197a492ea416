/** A result as its subscribers had it, and the cursor in it. */
export interface KeptResult {
  readonly event: string
  readonly cursor: string
}

/** What all streams together may keep. */
export interface MemoryBudget {
  /** characters left; below zero nothing is kept */
  left: number
}

const maxResults = 100
const maxCharacters = 256 * 1024

/** The last results of one stream, so that who comes back after a short while need not have a stream of its own. */
export class RecentResults {
  readonly #budget: MemoryBudget
  readonly #results: KeptResult[] = []
  #characters = 0
  /** every result after this cursor is here */
  #from: string | undefined

  /** @param from - the cursor after which the stream began; undefined: none */
  constructor(from: string | undefined, budget: MemoryBudget) {
    this.#from = from
    this.#budget = budget
  }

  add(result: KeptResult): void {
    this.#results.push(result)
    this.#count(result.event.length)
    while (this.#results.length > maxResults || this.#characters > maxCharacters || this.#budget.left < 0) {
      const gone = this.#results.shift()
      if (gone === undefined) return
      this.#from = gone.cursor
      this.#count(-gone.event.length)
    }
  }

  /** @returns undefined when some of them are not here */
  after(cursor: string): readonly KeptResult[] | undefined {
    const index = this.#results.findLastIndex((result) => result.cursor === cursor)
    if (index >= 0) return this.#results.slice(index + 1)
    return cursor === this.#from ? [...this.#results] : undefined
  }

  /** Gives its memory back; it holds nothing from now on. */
  clear(): void {
    this.#from = undefined
    this.#results.length = 0
    this.#count(-this.#characters)
  }

  #count(characters: number): void {
    this.#characters += characters
    this.#budget.left -= characters
  }
}
