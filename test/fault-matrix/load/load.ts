import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, isAcknowledged, type Kind, type TrackedRequest } from './kind.ts'

/** Pause between two attempts. */
const againMs = 600

export interface Attempt {
  readonly kind: string
  readonly startedAt: number
  readonly endedAt: number
  readonly answer: Answer
}

/** Steady clients: a request of each kind at an interval, repeated until it is acknowledged. */
export class Load {
  readonly attempts: Attempt[] = []
  readonly #kinds: readonly Kind[]
  readonly #cell: string
  readonly #tried = new Map<Kind, TrackedRequest[]>()
  readonly #acknowledged = new Map<Kind, TrackedRequest[]>()
  readonly #running = new Set<Promise<void>>()
  readonly #timers: NodeJS.Timeout[] = []
  #over = false

  constructor(kinds: readonly Kind[], cell: string) {
    this.#kinds = kinds
    this.#cell = cell
  }

  start(): void {
    for (const kind of this.#kinds) {
      let waiting = 0
      let number = 0
      const issue = (): void => {
        if (waiting >= kind.atOnce) return
        waiting++
        number++
        const wish = this.#fulfil(kind, `${this.#cell}-${kind.name.replace(' ', '-')}-${number}`)
        this.#running.add(wish)
        void wish.finally(() => {
          waiting--
          this.#running.delete(wish)
        })
      }
      this.#timers.push(setInterval(issue, kind.everyMs))
    }
  }

  /** Stops new requests; pending ones are repeated until they are acknowledged, or until the time limit. */
  async stop(limitMs: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    const patience = setTimeout(() => (this.#over = true), limitMs)
    await Promise.all(this.#running)
    clearTimeout(patience)
  }

  acknowledged = (kind: Kind): readonly TrackedRequest[] => this.#acknowledged.get(kind) ?? []
  tried = (kind: Kind): readonly TrackedRequest[] => this.#tried.get(kind) ?? []

  /** @returns when each kind had succeeded after its last failure; undefined while one has not */
  recoveredAt(since: number): number | undefined {
    const moments = this.#kinds.map(({ name }) => {
      const own = this.attempts.filter(({ kind, endedAt }) => kind === name && endedAt >= since)
      const failed = own.filter(({ answer }) => !isAcknowledged(answer)).map(({ endedAt }) => endedAt)
      const last = Math.max(since, ...failed)
      return Math.min(
        ...own
          .filter(({ answer, startedAt, endedAt }) => isAcknowledged(answer) && startedAt >= since && endedAt >= last)
          .map(({ endedAt }) => endedAt),
      )
    })
    const all = Math.max(...moments)
    return Number.isFinite(all) ? all : undefined
  }

  async #fulfil(kind: Kind, key: string): Promise<void> {
    push(this.#tried, kind, { key })
    while (!this.#over) {
      const startedAt = Date.now()
      const answer = await kind.attempt(key)
      this.attempts.push({ kind: kind.name, startedAt, endedAt: Date.now(), answer })
      if (isAcknowledged(answer)) return push(this.#acknowledged, kind, { key, ...(answer.id === undefined ? {} : { id: answer.id }) })
      await sleep(againMs)
    }
  }
}

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
