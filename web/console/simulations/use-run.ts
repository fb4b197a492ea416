import { RunSimulationDocument, type RunSimulationSubscription } from '@civigraph/client/documents'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import type { ScenarioTexts, ScenarioVariables } from './scenario-texts.ts'

type Run = RunSimulationSubscription['delegationSimulationRun']
export type Simulation = NonNullable<Run['simulation']>

/** A simulation that has ended, with what it was about. */
export interface EndedRun {
  readonly simulation: Simulation
  readonly texts: ScenarioTexts
  readonly variables: ScenarioVariables
}

export interface Progress {
  /** delegations read so far, and in total */
  readonly read: number
  readonly total: number
}

/** Runs simulations, one at a time. A run is cancelled by `cancel`, by the next one, and when the page is left. */
export function useRun() {
  const client = useClient()
  const [progress, setProgress] = useState<Progress>()
  const [ended, setEnded] = useState<EndedRun>()
  const [error, setError] = useState<CombinedError>()
  const stop = useRef<() => void>(() => undefined)
  useEffect(() => () => stop.current(), [])

  const cancel = useCallback(() => {
    stop.current()
    setProgress(undefined)
  }, [])
  const run = useCallback(
    (texts: ScenarioTexts, variables: ScenarioVariables) => {
      stop.current()
      setProgress({ read: 0, total: 0 })
      setError(undefined)
      const { unsubscribe } = client.subscription(RunSimulationDocument, variables).subscribe(({ data, error: refusal }) => {
        const event = data?.delegationSimulationRun
        if (refusal !== undefined) {
          setError(refusal)
          setProgress(undefined)
        } else if (event?.simulation != null) {
          setEnded({ simulation: event.simulation, texts, variables })
          setProgress(undefined)
        } else if (event !== undefined) setProgress(event)
      })
      stop.current = unsubscribe
    },
    [client],
  )
  return { run, cancel, progress, ended, error }
}
