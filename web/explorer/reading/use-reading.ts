import { useCallback, useEffect, useRef, useState } from 'react'

const settleMs = 180
const minBetweenMs = 1000
const retryMs = 5000

export interface Reading<Answer> {
  /** last response; undefined before the first */
  readonly answer: Answer | undefined
  /** the last request failed and is retried */
  readonly isFailing: boolean
  /** reads again after a change: throttled, and paused while the page is hidden */
  later(): void
}

/**
 * Reads data after its question changes, one request at a time, and again on demand. A newer question cancels the previous request.
 * @param question - everything the response depends on
 * @param read - must be the same function for the same question
 */
export function useReading<Answer>(question: string, read: (signal: AbortSignal) => Promise<Answer>): Reading<Answer> {
  const [answer, setAnswer] = useState<Answer>()
  const [isFailing, setFailing] = useState(false)
  const reading = useRef(read)
  reading.current = read
  const state = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; running?: AbortController | undefined; last: number }>({
    last: 0,
  })

  const ask = useCallback((waitMs: number) => {
    const own = state.current
    clearTimeout(own.timer)
    own.timer = setTimeout(async () => {
      own.timer = undefined
      own.running?.abort()
      const request = new AbortController()
      own.running = request
      own.last = performance.now()
      try {
        const result = await reading.current(request.signal)
        if (request.signal.aborted) return
        setAnswer(() => result)
        setFailing(false)
      } catch {
        if (request.signal.aborted) return
        setFailing(true)
        ask(retryMs)
      }
    }, waitMs)
  }, [])
  const later = useCallback(() => {
    const { timer, last } = state.current
    if (timer === undefined && !document.hidden) ask(Math.max(settleMs, minBetweenMs - (performance.now() - last)))
  }, [ask])

  useEffect(() => {
    ask(settleMs)
  }, [ask, question])
  useEffect(() => {
    const own = state.current
    document.addEventListener('visibilitychange', later)
    return () => {
      document.removeEventListener('visibilitychange', later)
      clearTimeout(own.timer)
      own.running?.abort()
    }
  }, [later])
  return { answer, isFailing, later }
}
