import { DeadlineExceeded } from '../fault.ts'
import { pause } from '../lifecycle.ts'
import { type CommitWindow, type Deadline, together } from './deadline.ts'

interface Waiting<Item> {
  readonly items: readonly Item[]
  readonly deadline: Deadline | undefined
  /** by performance.now() */
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes what many callers want written in few, larger writes: while one write runs the next gathers. Callers wait for the write that
 * holds their items and share its failure; one whose time is over before its write begins is refused, and its items are not written.
 * @param maxWeight - a write takes no further caller's items beyond it; an item weighs 1 where `weightOf` does not say otherwise
 * @param gatherMs - how long the first caller of a write waits for others; what it has waited for the write before counts
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[], window: CommitWindow) => Promise<void>
  readonly #maxWeight: number
  readonly #weightOf: (item: Item) => number
  readonly #gatherMs: number
  /** since when, in the order in which they came */
  readonly #unwritten = new Map<Promise<void>, number>()
  #waiting: Waiting<Item>[] = []
  #isWriting = false
  #hurry = new AbortController()

  constructor(options: {
    /** @param window - of all whose items these are */
    readonly write: (items: readonly Item[], window: CommitWindow) => Promise<void>
    readonly maxWeight: number
    readonly weightOf?: (item: Item) => number
    readonly gatherMs?: number
  }) {
    this.#write = options.write
    this.#maxWeight = options.maxWeight
    this.#weightOf = options.weightOf ?? (() => 1)
    this.#gatherMs = options.gatherMs ?? 0
  }

  /** How long the one that waits longest for the end of its write has waited, ms; 0 when nobody waits. */
  get oldestWaitMs(): number {
    const [since] = this.#unwritten.values()
    return since === undefined ? 0 : performance.now() - since
  }

  /** @throws {DeadlineExceeded} when the deadline is over before its write begins */
  add(items: readonly Item[], deadline?: Deadline): Promise<void> {
    if (items.length === 0) return Promise.resolve()
    const since = performance.now()
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ items, deadline, since, resolve, reject }))
    this.#unwritten.set(done, since)
    const over = (): void => void this.#unwritten.delete(done)
    done.then(over, over)
    if (!this.#isWriting) {
      this.#isWriting = true
      void this.#writeAll()
    }
    return done
  }

  /** Lets nobody wait for others any longer. @returns when everything that was added before is written, or cannot be */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#hurry.abort()
    await Promise.allSettled(this.#unwritten.keys())
  }

  async #writeAll(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const rest = first.since + this.#gatherMs - performance.now()
      if (rest > 0) await pause(rest, this.#hurry.signal)
      const group = this.#take()
      if (this.#waiting.length === 0 && this.#hurry.signal.aborted) this.#hurry = new AbortController()
      try {
        const window = together(group.flatMap(({ deadline }) => deadline ?? []))
        if (group.length > 0)
          await this.#write(
            group.flatMap(({ items }) => items),
            window,
          )
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    // in the same turn as the look at who waits, so that nobody comes between
    this.#isWriting = false
  }

  /** As many of the waiting as fit; the first always does. Those that nobody waits for any more are refused. */
  #take(): readonly Waiting<Item>[] {
    const isOver = ({ deadline }: Waiting<Item>): boolean =>
      deadline !== undefined && (deadline.signal.aborted || deadline.remainingMs === 0)
    for (const { reject } of this.#waiting.filter(isOver)) reject(new DeadlineExceeded())
    this.#waiting = this.#waiting.filter((each) => !isOver(each))
    let weight = 0
    const end = this.#waiting.findIndex(({ items }, index) => {
      for (const item of items) weight += this.#weightOf(item)
      return index > 0 && weight > this.#maxWeight
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }
}
