import { useCallback, useEffect, useRef, useState } from 'react'
import type { MadeRequest } from './request.ts'
import { type Answer, IncompleteResponse, send, sizeOf } from './send.ts'

/** State of a trial request. */
export type Trial =
  | { readonly step: 'begun' }
  | { readonly step: 'waiting' }
  | { readonly step: 'answered'; readonly answer: Answer }
  /** @param sentBytes - size of the request: a service may drop the connection of one that is too large */
  | { readonly step: 'failed'; readonly why: Failure; readonly sentBytes: number }

type Failure = 'cancelled' | 'timed-out' | 'unending' | 'unanswered' | 'cut-off'

export interface TrialState {
  readonly trial: Trial
  execute(request: MadeRequest): Promise<void>
  cancel(): void
}

/** longer than any response of the platform takes */
export const maxSeconds = 60

/** One request at a time. */
export function useTrial(): TrialState {
  const [trial, setTrial] = useState<Trial>({ step: 'begun' })
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const execute = useCallback(async (request: MadeRequest): Promise<void> => {
    const aborter = new AbortController()
    running.current = aborter
    const ending = setTimeout(() => aborter.abort('timed-out'), maxSeconds * 1000)
    setTrial({ step: 'waiting' })
    try {
      setTrial({ step: 'answered', answer: await send(request, aborter.signal) })
    } catch (error) {
      setTrial({ step: 'failed', why: failureOf(error, aborter.signal), sentBytes: sizeOf(request.body) })
    } finally {
      clearTimeout(ending)
    }
  }, [])
  return { trial, execute, cancel: useCallback(() => running.current?.abort(), []) }
}

function failureOf(error: unknown, { aborted, reason }: AbortSignal): Failure {
  const hasBegun = error instanceof IncompleteResponse
  if (!aborted) return hasBegun ? 'cut-off' : 'unanswered'
  if (reason !== 'timed-out') return 'cancelled'
  return hasBegun ? 'unending' : 'timed-out'
}
