interface Waiting {
  readonly since: number
  readonly enter: (isInTime: boolean) => void
}

export interface FairTurnsOptions {
  readonly maxAtOnce: number
  /** limit of waiting tasks per owner */
  readonly maxPerOwner: number
  /** limit of waiting tasks of all owners */
  readonly maxWaiting: number
  /** A task that has waited longer is rejected when its turn comes. */
  readonly maxWaitMs: number
}

/** Why a task was not started: the queue of its owner is full, the queue of all owners is full, or it waited too long. */
export type NoTurn = 'owner' | 'all' | 'late'

/**
 * Runs a limited number of tasks concurrently and serves owners round-robin, so that a long queue of one owner delays the others by at most one task.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  /** in the order in which owners are served */
  readonly #queues = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /** @param refusal - creates the error that is thrown if the task is not started */
  async hold<Result>(owner: string, work: () => Promise<Result>, refusal: (reason: NoTurn) => Error): Promise<Result> {
    if (this.#running < this.#options.maxAtOnce) this.#running++
    else if (!(await this.#wait(owner, refusal))) throw refusal('late')
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #wait(owner: string, refusal: (reason: NoTurn) => Error): Promise<boolean> {
    const queue = this.#queues.get(owner) ?? []
    if (queue.length >= this.#options.maxPerOwner) throw refusal('owner')
    if (this.#waiting >= this.#options.maxWaiting) throw refusal('all')
    const { promise, resolve } = Promise.withResolvers<boolean>()
    queue.push({ since: performance.now(), enter: resolve })
    this.#queues.set(owner, queue)
    this.#waiting++
    return promise
  }

  #leave(): void {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner)
      const next = queue.shift()
      if (next === undefined) continue
      // the owner moves to the end of the round
      if (queue.length > 0) this.#queues.set(owner, queue)
      this.#waiting--
      const isInTime = performance.now() - next.since <= this.#options.maxWaitMs
      next.enter(isInTime)
      if (isInTime) return
    }
    this.#running--
  }
}
