/** Merges frequent events: emits the first at once, then the merged rest at most once per interval. */
export class CoalescedEvents<Event> {
  readonly #everyMs: number
  readonly #merge: (before: Event, next: Event) => Event
  readonly #emit: (event: Event) => void
  #pending: Event | undefined
  #timer: NodeJS.Timeout | undefined
  #last = Number.NEGATIVE_INFINITY

  constructor(everyMs: number, merge: (before: Event, next: Event) => Event, emit: (event: Event) => void) {
    this.#everyMs = everyMs
    this.#merge = merge
    this.#emit = emit
  }

  add(event: Event): void {
    this.#pending = this.#pending === undefined ? event : this.#merge(this.#pending, event)
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#last + this.#everyMs - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    this.#timer = undefined
    this.#last = performance.now()
    const event = this.#pending
    this.#pending = undefined
    if (event !== undefined) this.#emit(event)
  }
}
