/** Returns a controller that is aborted with its parent and unsubscribes from it when aborted itself. */
export function linkedController(parent: AbortSignal): AbortController {
  const linked = new AbortController()
  const abort = (): void => linked.abort(parent.reason)
  if (parent.aborted) abort()
  else {
    parent.addEventListener('abort', abort, { once: true })
    linked.signal.addEventListener('abort', () => parent.removeEventListener('abort', abort), { once: true })
  }
  return linked
}

/**
 * Creates a stream that ends immediately when it is returned or `end` is aborted. A generator that waits for its next event delays `return`, so `end`
 * (the signal of the source) is aborted first and `return` is not awaited. @param each - maps an event
 * @param failed - creates the last event from an error of the source
 */
export function endableStream<Event, Out>(
  source: AsyncIterable<Event>,
  end: AbortController,
  each: (event: Event) => Promise<Out> | Out,
  failed: (error: unknown) => Out,
): AsyncIterableIterator<Out> {
  const events = source[Symbol.asyncIterator]()
  const over: IteratorResult<Out> = { done: true, value: undefined }
  let wake: (() => void) | undefined
  const finish = (): void => {
    if (!end.signal.aborted) end.abort()
    void Promise.resolve(events.return?.()).catch(() => undefined)
    wake?.()
  }
  if (end.signal.aborted) finish()
  else end.signal.addEventListener('abort', finish, { once: true })

  const nextEvent = (): Promise<IteratorResult<Event>> =>
    new Promise((resolve, reject) => {
      wake = () => resolve({ done: true, value: undefined })
      events.next().then(resolve, reject)
    })
  return {
    async next() {
      if (end.signal.aborted) return over
      try {
        const event = await nextEvent()
        if (end.signal.aborted) return over
        if (event.done !== true) return { done: false, value: await each(event.value) }
      } catch (error) {
        if (end.signal.aborted) return over
        end.abort()
        return { done: false, value: failed(error) }
      }
      end.abort()
      return over
    },
    async return() {
      end.abort()
      return over
    },
    async throw() {
      end.abort()
      return over
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
