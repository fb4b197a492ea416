/** A queue between one who is called for each event and one who asks for the next. */
export interface BoundedQueue<Event> {
  /** the events in order; ends, or throws what `fail` was given, once all before have been taken */
  readonly events: AsyncIterable<Event>
  /** Adds an event. One too many fails the queue. */
  readonly push: (event: Event) => void
  /** Ends it; what still waits is delivered. */
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

/** @param max - events that may wait */
export function boundedQueue<Event>(max: number): BoundedQueue<Event> {
  const waiting: Event[] = []
  let over: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  const finish = (how: { readonly error?: unknown }): void => {
    over ??= how
    wake?.()
  }
  async function* events(): AsyncGenerator<Event> {
    while (true) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else if (over === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('error' in over) throw over.error
      else return
    }
  }
  return {
    events: events(),
    push: (event) => {
      if (over !== undefined) return
      if (waiting.length >= max) return finish({ error: new Error(`more than ${max} events waited`) })
      waiting.push(event)
      wake?.()
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
  }
}
