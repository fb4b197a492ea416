import type { ExpressionEvent } from './feed-event.ts'

/** The newest events of a feed in memory, for resuming clients. A withdrawal removes the earlier events of its expression. */
export class RecentEvents<Event extends ExpressionEvent> {
  readonly #max: number
  #events: Event[] = []
  /** every event after this one is stored */
  #from: number | undefined

  constructor(max: number) {
    this.#max = max
  }

  /** undefined before anything is stored */
  get from(): number | undefined {
    return this.#from
  }

  get last(): number {
    return this.#events.at(-1)?.seq ?? this.#from ?? 0
  }

  /** Restarts at a position: from here on every event is added. */
  restart(from: number): void {
    this.#events = []
    this.#from = from
  }

  /** Clears the memory; it restarts with the next event. */
  forget(): void {
    this.#events = []
    this.#from = undefined
  }

  /** @returns false if it was added before: feeds deliver at least once */
  add(event: Event): boolean {
    if (event.seq <= this.last && this.#events.length > 0) return false
    this.#from ??= event.seq - 1
    if (event.kind === 'expression_withdrawn') this.#events = this.#events.filter(({ id }) => id !== event.id)
    this.#events.push(event)
    // removing a tenth at a time makes each addition cheap
    if (this.#events.length > this.#max * 1.1) {
      const dropped = this.#events.splice(0, this.#events.length - this.#max)
      this.#from = dropped.at(-1)?.seq ?? this.#from
    }
    return true
  }

  /** @returns undefined if some are missing */
  since(seq: number): readonly Event[] | undefined {
    if (this.#from === undefined || seq < this.#from) return undefined
    return this.#events.slice(this.#firstAfter(seq))
  }

  /** Returns the newest matching ones, oldest first. */
  newest(count: number, isWanted: (event: Event) => boolean): readonly Event[] {
    const matches: Event[] = []
    for (let index = this.#events.length - 1; index >= 0 && matches.length < count; index--) {
      const event = this.#events[index]
      if (event !== undefined && isWanted(event)) matches.unshift(event)
    }
    return matches
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
