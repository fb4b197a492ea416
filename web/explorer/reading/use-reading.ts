import { useEffect, useRef, useState } from 'react'
import { PacedReading } from '../../shared/graph/paced-reading.ts'

export interface LiveReading<Answer> {
  /** last response; undefined before the first */
  readonly answer: Answer | undefined
  /** the last request failed and is retried */
  readonly isFailing: boolean
  /** the data has changed: reads again, at the pace of all readings */
  refresh(): void
}

/**
 * Reads data after its question changes, and again on demand. A newer question cancels the previous request.
 * @param question - everything the response depends on
 * @param read - must be the same function for the same question
 */
export function useReading<Answer>(question: string, read: (signal: AbortSignal) => Promise<Answer>): LiveReading<Answer> {
  const [answer, setAnswer] = useState<Answer>()
  const [isFailing, setFailing] = useState(false)
  const current = useRef(read)
  current.current = read
  const reading = useRef<PacedReading<Answer>>(undefined)
  useEffect(() => {
    const made = new PacedReading<Answer>(
      {
        read: (signal) => current.current(signal),
        onAnswer(result) {
          setAnswer(() => result)
          setFailing(false)
        },
        onFailure: () => setFailing(true),
      },
      document,
    )
    reading.current = made
    return () => made.close()
  }, [])
  useEffect(() => reading.current?.restart(), [question])
  return { answer, isFailing, refresh: () => reading.current?.refresh() }
}
