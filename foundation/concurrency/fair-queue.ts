import { Overloaded } from '../fault.ts'
import { networkOf } from '../network-address.ts'

interface WaitingTask {
  readonly since: number
  readonly enter: (isInTime: boolean) => void
}

export interface FairQueueOptions {
  readonly maxAtOnce: number
  /** limit of running tasks per owner, so that another owner need not wait until one of them ends (default: `maxAtOnce`) */
  readonly maxAtOncePerOwner?: number
  /** limit of waiting tasks per owner */
  readonly maxPerOwner: number
  /** limit of waiting tasks of all owners */
  readonly maxWaiting: number
  /** A task that has waited longer is rejected when its turn comes. */
  readonly maxWaitMs: number
  /** After this number of preferred tasks one of another owner begins, if one waits, so that preferred ones cannot shut out all others (default: unlimited) */
  readonly maxPreferredInARow?: number
}

/** Why a task was not started: the queue of its owner is full, the queue of all owners is full, or it waited too long. */
export type QueueRejection = 'owner' | 'all' | 'late'

export interface Owner {
  readonly name: string
  /** Its works come before those of owners that are not preferred. */
  readonly isPreferred?: boolean
}

/** Returns the owner for a client that is known by its address only: all addresses of an IPv6 /64 are one client. */
export const ownerAt = (address = ''): Owner => ({ name: networkOf(address) })

/**
 * Runs a limited number of works at once; owners take turns, so that one with many waiting works does not delay the others by more than one.
 * Preferred owners take turns among themselves, before the others.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** in the order in which owners come next */
  readonly #queues = { preferred: new Map<string, Set<WaitingTask>>(), others: new Map<string, Set<WaitingTask>>() }
  readonly #runningOf = new Map<string, number>()
  #preferredInARow = 0
  #running = 0
  #waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /**
   * @param refusal - makes what is thrown when the work is not begun
   * @throws the reason of the signal if it is aborted before the work begins
   */
  async run<Result>(
    owner: Owner,
    work: () => Promise<Result>,
    refusal: (reason: QueueRejection) => Error,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#running < this.#options.maxAtOnce && this.#mayBegin(owner.name)) this.#count(owner.name, 1)
    else if (!(await this.#wait(owner, refusal, signal))) throw refusal('late')
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      this.#count(owner.name, -1)
      this.#beginNext()
    }
  }

  /** Runs a work of the client at an address, as `run`. @throws {Overloaded} when the work is not begun */
  runAt<Result>(address: string | undefined, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.run(ownerAt(address), work, () => new Overloaded(), signal)
  }

  #wait({ name, isPreferred = false }: Owner, refusal: (reason: QueueRejection) => Error, signal?: AbortSignal): Promise<boolean> {
    const queues = isPreferred ? this.#queues.preferred : this.#queues.others
    const queue = queues.get(name) ?? new Set()
    if (queue.size >= this.#options.maxPerOwner) throw refusal('owner')
    // preferred ones are few, and would be shut out by the others
    if (this.#waiting >= this.#options.maxWaiting && !isPreferred) throw refusal('all')
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const giveUp = (): void => {
      queue.delete(waiting)
      this.#waiting--
      if (queue.size === 0 && queues.get(name) === queue) queues.delete(name)
      reject(signal?.reason)
    }
    const enter = (isInTime: boolean): void => {
      signal?.removeEventListener('abort', giveUp)
      resolve(isInTime)
    }
    const waiting: WaitingTask = { since: performance.now(), enter }
    queue.add(waiting)
    queues.set(name, queue)
    this.#waiting++
    signal?.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  #mayBegin(owner: string): boolean {
    const { maxAtOnce, maxAtOncePerOwner = maxAtOnce } = this.#options
    return (this.#runningOf.get(owner) ?? 0) < maxAtOncePerOwner
  }

  /** Counts a work that begins (1) or has ended (-1). */
  #count(owner: string, change: 1 | -1): void {
    this.#running += change
    const running = (this.#runningOf.get(owner) ?? 0) + change
    if (running === 0) this.#runningOf.delete(owner)
    else this.#runningOf.set(owner, running)
  }

  #beginNext(): void {
    const { preferred, others } = this.#queues
    const { maxPreferredInARow = Number.POSITIVE_INFINITY } = this.#options
    for (const queues of this.#preferredInARow < maxPreferredInARow ? [preferred, others] : [others, preferred])
      for (const [name, queue] of queues) {
        if (!this.#mayBegin(name)) continue
        queues.delete(name)
        const [next] = queue
        if (next === undefined) continue
        queue.delete(next)
        // the owner goes to the end of the round
        if (queue.size > 0) queues.set(name, queue)
        this.#waiting--
        const isInTime = performance.now() - next.since <= this.#options.maxWaitMs
        if (isInTime) {
          this.#count(name, 1)
          this.#preferredInARow = queues === preferred ? this.#preferredInARow + 1 : 0
        }
        next.enter(isInTime)
        if (isInTime) return
      }
  }
}
