import { pause } from './lifecycle.ts'

interface Waiting<Item> {
  readonly items: readonly Item[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes what many callers want written in few, larger writes: while one write runs the next gathers. Callers wait for the write that
 * holds their items and share its failure.
 * @param gatherMs - how long the first caller waits for others when nothing is being written
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>
  readonly #mostItems: number
  readonly #gatherMs: number
  #waiting: Waiting<Item>[] = []
  #writing: Promise<void> | undefined

  constructor(options: {
    readonly write: (items: readonly Item[]) => Promise<void>
    readonly mostItems: number
    readonly gatherMs?: number
  }) {
    this.#write = options.write
    this.#mostItems = options.mostItems
    this.#gatherMs = options.gatherMs ?? 0
  }

  add(items: readonly Item[]): Promise<void> {
    if (items.length === 0) return Promise.resolve()
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ items, resolve, reject }))
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return done
  }

  async #writeAll(): Promise<void> {
    await pause(this.#gatherMs)
    while (this.#waiting.length > 0) {
      const group = this.#take()
      try {
        await this.#write(group.flatMap(({ items }) => items))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
  }

  /** As many of the waiting as fit; the first always does. */
  #take(): readonly Waiting<Item>[] {
    let count = 0
    const end = this.#waiting.findIndex(({ items }, index) => {
      count += items.length
      return index > 0 && count > this.#mostItems
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }
}
