import { DeadlineExceeded } from '../fault.ts'
import { pause } from '../lifecycle.ts'
import { type CommitWindow, combinedWindow, type Deadline } from './deadline.ts'

interface WaitingEntry<Item> {
  readonly items: readonly Item[]
  readonly deadline: Deadline | undefined
  /** arrival, by performance.now() */
  readonly since: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the writes of concurrent callers into fewer, larger writes: items gather while the previous write runs. Callers wait for the write that
 * contains their items and share its failure; a caller whose deadline passes before its write begins is refused.
 * @param maxWeight - weight limit of one write; an item weighs 1 unless `weightOf` is given
 * @param gatherMs - how long the first caller of a write waits for others, including its wait for the previous write
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[], window: CommitWindow) => Promise<void>
  readonly #maxWeight: number
  readonly #weightOf: (item: Item) => number
  readonly #gatherMs: number
  /** start of the wait, in order of arrival */
  readonly #unwritten = new Map<Promise<void>, number>()
  #waiting: WaitingEntry<Item>[] = []
  #isWriting = false
  #flushController = new AbortController()

  constructor(options: {
    /** @param window - combined window of the callers */
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

  /** Returns how long the oldest caller has waited for its write, ms; 0 if no caller waits. */
  get oldestWaitMs(): number {
    const [since] = this.#unwritten.values()
    return since === undefined ? 0 : performance.now() - since
  }

  /** @throws {DeadlineExceeded} if the deadline passes before the write begins */
  add(items: readonly Item[], deadline?: Deadline): Promise<void> {
    if (items.length === 0) return Promise.resolve()
    const since = performance.now()
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ items, deadline, since, resolve, reject }))
    this.#unwritten.set(done, since)
    const forget = (): void => void this.#unwritten.delete(done)
    done.then(forget, forget)
    if (!this.#isWriting) {
      this.#isWriting = true
      void this.#writeAll()
    }
    return done
  }

  /** Writes without gathering further. @returns when everything added before has been written or has failed */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#flushController.abort()
    await Promise.allSettled(this.#unwritten.keys())
  }

  async #writeAll(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const rest = first.since + this.#gatherMs - performance.now()
      if (rest > 0) await pause(rest, this.#flushController.signal)
      const group = this.#take()
      if (this.#waiting.length === 0 && this.#flushController.signal.aborted) this.#flushController = new AbortController()
      try {
        const window = combinedWindow(group.flatMap(({ deadline }) => deadline ?? []))
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
    // in the same tick as the check of the queue, so that no caller can be added in between
    this.#isWriting = false
  }

  /** Takes the waiting callers that fit, at least the first, and rejects those whose deadline has passed. */
  #take(): readonly WaitingEntry<Item>[] {
    const hasExpired = ({ deadline }: WaitingEntry<Item>): boolean =>
      deadline !== undefined && (deadline.signal.aborted || deadline.remainingMs === 0)
    for (const { reject } of this.#waiting.filter(hasExpired)) reject(new DeadlineExceeded())
    this.#waiting = this.#waiting.filter((each) => !hasExpired(each))
    let weight = 0
    const end = this.#waiting.findIndex(({ items }, index) => {
      for (const item of items) weight += this.#weightOf(item)
      return index > 0 && weight > this.#maxWeight
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }
}
