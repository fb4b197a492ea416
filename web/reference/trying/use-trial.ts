import { useCallback, useEffect, useRef, useState } from 'react'
import type { MadeRequest } from './request.ts'
import { type Answer, send, sizeOf } from './send.ts'

/** How a request that is tried stands. */
export type Trial =
  | { readonly step: 'begun' }
  | { readonly step: 'waiting' }
  | { readonly step: 'answered'; readonly answer: Answer }
  /** @param sentBytes - how much was to be sent: what is too large is often cut off, and not answered */
  | { readonly step: 'failed'; readonly why: 'cancelled' | 'timed-out' | 'unanswered'; readonly sentBytes: number }

export interface TrialState {
  readonly trial: Trial
  execute(request: MadeRequest): Promise<void>
  cancel(): void
}

/** longer than the platform takes for any answer */
export const mostSeconds = 60

/** One request at a time. */
export function useTrial(): TrialState {
  const [trial, setTrial] = useState<Trial>({ step: 'begun' })
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const execute = useCallback(async (request: MadeRequest): Promise<void> => {
    const aborter = new AbortController()
    running.current = aborter
    const ending = setTimeout(() => aborter.abort('timed-out'), mostSeconds * 1000)
    setTrial({ step: 'waiting' })
    try {
      setTrial({ step: 'answered', answer: await send(request, aborter.signal) })
    } catch {
      const why = !aborter.signal.aborted ? 'unanswered' : aborter.signal.reason === 'timed-out' ? 'timed-out' : 'cancelled'
      setTrial({ step: 'failed', why, sentBytes: sizeOf(request.body) })
    } finally {
      clearTimeout(ending)
    }
  }, [])
  return { trial, execute, cancel: useCallback(() => running.current?.abort(), []) }
}
