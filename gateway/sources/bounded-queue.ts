/** A queue between a producer with callbacks and an async consumer. */
export interface BoundedQueue<Event> {
  /** yields the events in order; ends, or throws the error of a failure, after the preceding events */
  readonly events: AsyncIterable<Event>
  /** returns the size of events that wait behind another */
  readonly bytes: () => number
  /** Adds an event; fails the queue if it is full. */
  readonly push: (event: Event) => void
  /** Ends the queue; waiting events are still delivered. */
  readonly end: () => void
  readonly fail: (error: unknown) => void
  /** Fails the queue and drops waiting events. */
  readonly giveUp: () => void
}

/** Limits of waiting events: count, and bytes except those of the first. */
export interface QueueLimits {
  readonly events: number
  readonly bytes: number
}

/** @param sizeOf - size of an event in bytes; called only for events that wait behind another */
export function boundedQueue<Event>(limits: QueueLimits, sizeOf: (event: Event) => number): BoundedQueue<Event> {
  const waiting: { readonly event: Event; readonly size: number }[] = []
  let bytes = 0
  let over: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  const finish = (how: { readonly error?: unknown }): void => {
    over ??= how
    wake?.()
  }
  async function* events(): AsyncGenerator<Event> {
    while (true) {
      const next = waiting.shift()
      if (next !== undefined) {
        bytes -= next.size
        yield next.event
      } else if (over === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('error' in over) throw over.error
      else return
    }
  }
  return {
    events: events(),
    bytes: () => bytes,
    push: (event) => {
      if (over !== undefined) return
      if (waiting.length >= limits.events) return finish({ error: new Error(`more than ${limits.events} events waited`) })
      const size = waiting.length === 0 ? 0 : sizeOf(event)
      if (bytes + size > limits.bytes) return finish({ error: new Error(`events of more than ${limits.bytes} bytes waited`) })
      bytes += size
      waiting.push({ event, size })
      wake?.()
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
    giveUp: () => {
      waiting.length = 0
      bytes = 0
      finish({ error: new Error('the waiting events of all streams exceeded the limit') })
    },
  }
}
