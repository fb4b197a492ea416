import { DeadlineExceeded, Fault, OutcomeUnknown } from '../fault.ts'

/** What a write needs to know of those that wait for it: how long it may take, and whether it may still become durable. */
export interface CommitWindow {
  /** ms until nothing may begin to become durable any more; Infinity without an end, never below 0 */
  readonly remainingMs: number
  /** ms until nobody waits any longer for the outcome of what has begun in time */
  readonly patienceMs: number
  /**
   * Runs what makes something durable. Its outcome is waited for, also when the time is over meanwhile.
   * @throws {DeadlineExceeded} when the time is over already: nothing was begun
   */
  commit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** how long the outcome of a commit is waited for that began in time, and the rest of an answer after it */
export const commitGraceMs = 2000

/**
 * Until when a request is to be answered. Once it is over the signal is aborted with DeadlineExceeded, and nothing that asked first becomes
 * durable any more: who is told so may be sure that nothing was taken in. While a commit is under way the signal waits for its outcome, for
 * `graceMs` at most; then, and when what was taken in cannot be answered in time, its reason is OutcomeUnknown.
 */
export class Deadline implements CommitWindow, Disposable {
  readonly #end = new AbortController()
  readonly #at: number
  readonly #graceMs: number
  readonly #clientGone: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #commits = 0
  #mayBeTakenIn = false

  /**
   * @param options - `startedAt`: when the request came, by performance.now() (default: now); `timeoutMs`: Infinity for no end; `clientGone`:
   * nobody waits any more, which ends it at once
   */
  constructor(options: {
    readonly startedAt?: number
    readonly timeoutMs: number
    readonly clientGone?: AbortSignal
    readonly graceMs?: number
  }) {
    const { startedAt = performance.now(), timeoutMs, clientGone, graceMs = commitGraceMs } = options
    this.#at = startedAt + timeoutMs
    this.#graceMs = graceMs
    this.#clientGone = clientGone
    if (Number.isFinite(timeoutMs)) this.#timer = setTimeout(this.#timeIsOver, Math.max(0, this.#at - performance.now()))
    if (clientGone?.aborted) this.#leave()
    else clientGone?.addEventListener('abort', this.#leave, { once: true })
  }

  /** aborted when the client is gone or the time is over, with a Fault as the reason */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  get remainingMs(): number {
    return this.#isOver ? 0 : Math.max(0, this.#at - performance.now())
  }

  get patienceMs(): number {
    return Math.max(0, this.#at + this.#graceMs - performance.now())
  }

  /** whether something has become durable, or may have */
  get mayBeTakenIn(): boolean {
    return this.#mayBeTakenIn
  }

  /** Something that it asked for became durable elsewhere. */
  takenIn(): void {
    this.#mayBeTakenIn = true
  }

  commit<Result>(work: () => Promise<Result>): Promise<Result> {
    return commitWithin([this], work)
  }

  /** @throws {DeadlineExceeded} */
  begin(): void {
    if (this.remainingMs === 0) throw new DeadlineExceeded()
    this.#commits++
  }

  /** @param mayBeTakenIn - false when it is known that nothing became durable */
  ended(mayBeTakenIn: boolean): void {
    this.#commits--
    this.#mayBeTakenIn ||= mayBeTakenIn
    if (this.#isOver && this.#commits === 0 && !this.#mayBeTakenIn) this.#stop(new DeadlineExceeded())
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#clientGone?.removeEventListener('abort', this.#leave)
  }

  readonly #timeIsOver = (): void => {
    this.#isOver = true
    if (this.#commits === 0 && !this.#mayBeTakenIn) this.#end.abort(new DeadlineExceeded())
    else this.#timer = setTimeout(() => this.#end.abort(new OutcomeUnknown()), this.#graceMs)
  }

  readonly #leave = (): void => this.#stop(new Fault('DEADLINE_EXCEEDED', 'The client closed the connection'))

  #stop(reason: Fault): void {
    clearTimeout(this.#timer)
    this.#end.abort(reason)
  }
}

/** What several wait for together: it has the time of the one that has least, and none of them is answered before its outcome is known. */
export function together(deadlines: readonly Deadline[]): CommitWindow {
  const least = (of: (deadline: Deadline) => number): number =>
    deadlines.reduce((least, deadline) => Math.min(least, of(deadline)), Number.POSITIVE_INFINITY)
  return {
    get remainingMs() {
      return least(({ remainingMs }) => remainingMs)
    },
    get patienceMs() {
      return least(({ patienceMs }) => patienceMs)
    },
    commit: (work) => commitWithin(deadlines, work),
  }
}

async function commitWithin<Result>(deadlines: readonly Deadline[], work: () => Promise<Result>): Promise<Result> {
  const begun: Deadline[] = []
  let mayBeTakenIn = false
  try {
    for (const deadline of deadlines) {
      deadline.begin()
      begun.push(deadline)
    }
    const result = await work()
    mayBeTakenIn = true
    return result
  } catch (error) {
    mayBeTakenIn = error instanceof OutcomeUnknown
    throw error
  } finally {
    for (const deadline of begun) deadline.ended(mayBeTakenIn)
  }
}
