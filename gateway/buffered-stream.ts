/** How many more events may wait for one client, over all its streams. */
export interface Buffer {
  left: number
}

/**
 * Takes events from a source as they come and keeps them until they are asked for, so that a slow reader does not hold up the source.
 * When the buffer is full, `overflow` is called and the stream ends.
 * @param source - must not reject  @param ended - called once, when the source has ended or is no longer wanted
 */
export function bufferedStream<Event>(
  source: AsyncIterableIterator<Event>,
  buffer: Buffer,
  overflow: () => void,
  ended: () => void,
): AsyncIterableIterator<Event> {
  const waiting: Event[] = []
  let over = false
  let wake: (() => void) | undefined
  const finish = (): void => {
    if (!over) ended()
    over = true
    wake?.()
  }
  const end = (): void => {
    finish()
    buffer.left += waiting.length
    waiting.length = 0
    void source.return?.()
  }
  const take = async (): Promise<void> => {
    for await (const event of source) {
      if (over) return
      if (buffer.left === 0) {
        end()
        return overflow()
      }
      buffer.left -= 1
      waiting.push(event)
      wake?.()
    }
    // What came before the end is still delivered.
    finish()
  }
  void take()
  return {
    async next() {
      while (waiting.length === 0 && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const value = waiting.shift()
      if (value === undefined) return { done: true, value }
      buffer.left += 1
      return { done: false, value }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
    async throw() {
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
