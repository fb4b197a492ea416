import type { ExpressionDocument } from '../expression/expression-document.ts'

/** An expression with its position in the change log; `lagged`: earlier events were omitted. */
export type StreamedExpression =
  | {
      readonly position: number
      readonly kind: 'added' | 'updated'
      readonly dropped: null
      readonly document: ExpressionDocument
      /** retired domains that those of the expression replace */
      readonly formerDomains: readonly string[]
    }
  | { readonly position: number; readonly kind: 'withdrawn'; readonly dropped: null; readonly document: null; readonly withdrawnId: string }
  | { readonly position: number; readonly kind: 'lagged'; readonly dropped: number | null; readonly document: null }

/** maximum of queued events for a slow listener */
const maxWaiting = 1000

/** A listener with a queue of matching events. Beyond a thousand, events are dropped and counted. */
export class StreamListener {
  readonly #isWanted: (event: StreamedExpression) => boolean
  #waiting: StreamedExpression[] = []
  #dropped: { count: number | null; position: number } | undefined
  #seen: number
  #over = false
  #wake: (() => void) | undefined

  /** @param seen - events up to this position are not emitted again */
  constructor(isWanted: (event: StreamedExpression) => boolean, seen = 0) {
    this.#isWanted = isWanted
    this.#seen = seen
  }

  wants(event: StreamedExpression): boolean {
    return this.#isWanted(event)
  }

  add(event: StreamedExpression): void {
    if (event.position <= this.#seen || !this.wants(event)) return
    if (this.#dropped !== undefined || this.#waiting.length >= maxWaiting) {
      const { count } = this.#dropped ?? { count: 0 }
      this.#dropped = { count: count === null ? null : count + 1, position: event.position }
    } else this.#waiting.push(event)
    this.#wake?.()
  }

  /** Records that an unknown number of events up to `position` is missing. */
  lag(position: number): void {
    if (this.#dropped === undefined) this.#waiting.push({ position, kind: 'lagged', dropped: null, document: null })
    else this.#dropped = { count: null, position }
    this.#wake?.()
  }

  /** Resets the position after an unknown one: all further events are new. */
  forget(): void {
    this.#seen = 0
  }

  end(): void {
    this.#over = true
    this.#wake?.()
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamedExpression> {
    const woken = (): void => this.#wake?.()
    signal.addEventListener('abort', woken, { once: true })
    try {
      while (!signal.aborted) {
        const event = this.#waiting.shift() ?? this.#takeDropped()
        if (event !== undefined) yield event
        else if (this.#over) return
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
      }
    } finally {
      signal.removeEventListener('abort', woken)
    }
  }

  #takeDropped(): StreamedExpression | undefined {
    if (this.#dropped === undefined) return undefined
    const { count, position } = this.#dropped
    this.#dropped = undefined
    return { position, kind: 'lagged', dropped: count, document: null }
  }
}
