/** Changes of the question within this time cause one read. */
const settleMs = 180
/** minimum time between the starts of two reads that changes of the data cause */
export const paceMs = 2000
const retryMs = 5000

export interface ReadingEvents<Answer> {
  /** must be aborted by its signal */
  read(signal: AbortSignal): Promise<Answer>
  onAnswer(answer: Answer): void
  /** the read is retried */
  onFailure(): void
}

/** The visibility of a page, as in `document`. */
export interface PageVisibility {
  readonly hidden: boolean
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/**
 * Reads data that changes while the page shows it: one read at a time, one in 2 s however often the data changes, and none while the page is hidden.
 * Once visible again, it reads the current data.
 */
export class PacedReading<Answer> {
  readonly #events: ReadingEvents<Answer>
  readonly #page: PageVisibility
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  /** the data has changed since the start of the running read, or while the page was hidden */
  #isStale = false

  constructor(events: ReadingEvents<Answer>, page: PageVisibility) {
    this.#events = events
    this.#page = page
    page.addEventListener('visibilitychange', this.refresh)
  }

  /** The question has changed: cancels the running read. */
  readonly restart = (): void => {
    this.#running?.abort()
    this.#running = undefined
    this.#schedule(settleMs)
  }

  /** The data has changed. */
  readonly refresh = (): void => {
    if (this.#running !== undefined || this.#page.hidden) this.#isStale = true
    else if (this.#timer === undefined) this.#schedule(Math.max(settleMs, this.#startedAt + paceMs - performance.now()))
  }

  close(): void {
    this.#page.removeEventListener('visibilitychange', this.refresh)
    clearTimeout(this.#timer)
    this.#running?.abort()
  }

  #schedule(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#page.hidden) this.#isStale = true
      else void this.#read()
    }, waitMs)
  }

  async #read(): Promise<void> {
    const request = new AbortController()
    this.#running = request
    this.#startedAt = performance.now()
    this.#isStale = false
    const isCancelled = (): boolean => request.signal.aborted
    try {
      const answer = await this.#events.read(request.signal)
      if (isCancelled()) return
      this.#running = undefined
      this.#events.onAnswer(answer)
      if (this.#isStale) this.refresh()
    } catch {
      if (isCancelled()) return
      this.#running = undefined
      this.#events.onFailure()
      this.#schedule(retryMs)
    }
  }
}
