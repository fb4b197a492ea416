import { DeadlineExceeded, Fault, OutcomeUnknown } from '../fault.ts'

/** The part of a deadline that a write needs: how long it may take and whether it may still commit. */
export interface CommitWindow {
  /** ms until no commit may begin any more; never negative, Infinity without a limit */
  readonly remainingMs: number
  /** ms until no caller waits for the outcome of a commit that began in time */
  readonly patienceMs: number
  /**
   * Runs a commit and waits for its outcome, even past the deadline.
   * @throws {DeadlineExceeded} if the deadline has passed; `work` was not called
   */
  commit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** time after the deadline to wait for the outcome of a running commit and to send the response, ms */
export const commitGraceMs = 2000

/**
 * The deadline of a request. When it passes, `signal` is aborted with DeadlineExceeded and no further commit begins: the caller can rely on nothing
 * having been stored. While a commit runs, the abort waits for its outcome, `graceMs` at most; the reason is then OutcomeUnknown, as it is when a
 * stored result cannot be returned in time.
 */
export class Deadline implements CommitWindow, Disposable {
  readonly #end = new AbortController()
  readonly #at: number
  readonly #graceMs: number
  readonly #disconnected: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #commits = 0
  #mayHaveTakenEffect = false

  /**
   * @param options - `startedAt`: arrival of the request, by performance.now() (default: now); `timeoutMs`: Infinity for no limit; `disconnected`:
   * aborted when the client disconnects, which ends the deadline immediately
   */
  constructor(options: {
    readonly startedAt?: number
    readonly timeoutMs: number
    readonly disconnected?: AbortSignal
    readonly graceMs?: number
  }) {
    const { startedAt = performance.now(), timeoutMs, disconnected, graceMs = commitGraceMs } = options
    this.#at = startedAt + timeoutMs
    this.#graceMs = graceMs
    this.#disconnected = disconnected
    if (Number.isFinite(timeoutMs)) this.#timer = setTimeout(this.#timeIsOver, Math.max(0, this.#at - performance.now()))
    if (disconnected?.aborted) this.#leave()
    else disconnected?.addEventListener('abort', this.#leave, { once: true })
  }

  /** aborted with a Fault when the client disconnects or the deadline passes */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  get remainingMs(): number {
    return this.#isOver ? 0 : Math.max(0, this.#at - performance.now())
  }

  get patienceMs(): number {
    return Math.max(0, this.#at + this.#graceMs - performance.now())
  }

  /** whether a commit has succeeded or may have */
  get mayHaveTakenEffect(): boolean {
    return this.#mayHaveTakenEffect
  }

  /** Records that another process committed work of this request. */
  recordCommit(): void {
    this.#mayHaveTakenEffect = true
  }

  commit<Result>(work: () => Promise<Result>): Promise<Result> {
    return commitWithin([this], work)
  }

  /** @throws {DeadlineExceeded} */
  begin(): void {
    if (this.remainingMs === 0) throw new DeadlineExceeded()
    this.#commits++
  }

  /** @param mayHaveTakenEffect - false if nothing was committed */
  ended(mayHaveTakenEffect: boolean): void {
    this.#commits--
    this.#mayHaveTakenEffect ||= mayHaveTakenEffect
    if (this.#isOver && this.#commits === 0 && !this.#mayHaveTakenEffect) this.#stop(new DeadlineExceeded())
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#disconnected?.removeEventListener('abort', this.#leave)
  }

  readonly #timeIsOver = (): void => {
    this.#isOver = true
    if (this.#commits === 0 && !this.#mayHaveTakenEffect) this.#end.abort(new DeadlineExceeded())
    else this.#timer = setTimeout(() => this.#end.abort(new OutcomeUnknown()), this.#graceMs)
  }

  readonly #leave = (): void => this.#stop(new Fault('DEADLINE_EXCEEDED', 'The client closed the connection'))

  #stop(reason: Fault): void {
    clearTimeout(this.#timer)
    this.#end.abort(reason)
  }
}

/** Combines the deadlines of requests that share a write: the earliest one applies, and no request is answered before the outcome is known. */
export function combinedWindow(deadlines: readonly Deadline[]): CommitWindow {
  const minimum = (of: (deadline: Deadline) => number): number =>
    deadlines.reduce((smallest, deadline) => Math.min(smallest, of(deadline)), Number.POSITIVE_INFINITY)
  return {
    get remainingMs() {
      return minimum(({ remainingMs }) => remainingMs)
    },
    get patienceMs() {
      return minimum(({ patienceMs }) => patienceMs)
    },
    commit: (work) => commitWithin(deadlines, work),
  }
}

async function commitWithin<Result>(deadlines: readonly Deadline[], work: () => Promise<Result>): Promise<Result> {
  const begun: Deadline[] = []
  let mayHaveTakenEffect = false
  try {
    for (const deadline of deadlines) {
      deadline.begin()
      begun.push(deadline)
    }
    const result = await work()
    mayHaveTakenEffect = true
    return result
  } catch (error) {
    mayHaveTakenEffect = error instanceof OutcomeUnknown
    throw error
  } finally {
    for (const deadline of begun) deadline.ended(mayHaveTakenEffect)
  }
}
