interface Waiting {
  readonly since: number
  readonly enter: (isInTime: boolean) => void
}

export interface FairTurnsOptions {
  readonly maxAtOnce: number
  /** waiting works of one owner */
  readonly maxPerOwner: number
  /** waiting works of all owners */
  readonly maxWaiting: number
  /** A work that has waited longer is given up when its turn comes. */
  readonly maxWaitMs: number
}

/** Why a work was not begun: its owner has too many waiting, all owners together have, or it waited too long. */
export type NoTurn = 'owner' | 'all' | 'late'

/** Runs a limited number of works at once; owners take turns, so that one with many waiting works does not delay the others by more than one. */
export class FairTurns {
  readonly #options: FairTurnsOptions
  /** in the order in which owners come next */
  readonly #queues = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /** @param refusal - makes what is thrown when the work is not begun */
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
      // the owner goes to the end of the round
      if (queue.length > 0) this.#queues.set(owner, queue)
      this.#waiting--
      const isInTime = performance.now() - next.since <= this.#options.maxWaitMs
      next.enter(isInTime)
      if (isInTime) return
    }
    this.#running--
  }
}
