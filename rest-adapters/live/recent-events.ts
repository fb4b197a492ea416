import type { ExpressionEvent } from './feed-event.ts'

/**
 * The newest events of a feed in memory, so that clients that come back need not ask the database for what they have missed. A withdrawal takes
 * what was said of its expression out of it: nobody who comes later is told that.
 */
export class RecentEvents<Event extends ExpressionEvent> {
  readonly #max: number
  #events: Event[] = []
  /** every event after this one is here */
  #from: number | undefined

  constructor(max: number) {
    this.#max = max
  }

  /** undefined before anything is known */
  get from(): number | undefined {
    return this.#from
  }

  get last(): number {
    return this.#events.at(-1)?.seq ?? this.#from ?? 0
  }

  /** From here on every event is added: what was before may be incomplete. */
  restart(from: number): void {
    this.#events = []
    this.#from = from
  }

  /** Nothing is known any more; the next event that is added is the first. */
  forget(): void {
    this.#events = []
    this.#from = undefined
  }

  /** @returns false when it was added before: feeds deliver at least once */
  add(event: Event): boolean {
    if (event.seq <= this.last && this.#events.length > 0) return false
    this.#from ??= event.seq - 1
    if (event.kind === 'expression_withdrawn') this.#events = this.#events.filter(({ id }) => id !== event.id)
    this.#events.push(event)
    // Taking away a tenth at a time makes each addition cheap.
    if (this.#events.length > this.#max * 1.1) {
      const gone = this.#events.splice(0, this.#events.length - this.#max)
      this.#from = gone.at(-1)?.seq ?? this.#from
    }
    return true
  }

  /** @returns undefined when some of them are not here */
  since(seq: number): readonly Event[] | undefined {
    if (this.#from === undefined || seq < this.#from) return undefined
    return this.#events.slice(this.#firstAfter(seq))
  }

  /** The newest ones that match, the oldest of them first. */
  newest(count: number, isWanted: (event: Event) => boolean): readonly Event[] {
    const found: Event[] = []
    for (let index = this.#events.length - 1; index >= 0 && found.length < count; index--) {
      const event = this.#events[index]
      if (event !== undefined && isWanted(event)) found.unshift(event)
    }
    return found
  }

  #firstAfter(seq: number): number {
    let [low, high] = [0, this.#events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
