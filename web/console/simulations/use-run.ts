import { RunSimulationDocument, type RunSimulationSubscription, SimulateDocument } from '@civigraph/client/documents'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client, CombinedError } from 'urql'
import type { ScenarioTexts, ScenarioVariables } from './scenario-texts.ts'

type Run = RunSimulationSubscription['delegationSimulationRun']
export type Simulation = NonNullable<Run['simulation']>

/** A simulation that has ended, with what it was about. */
export interface EndedRun {
  /** of this run */
  readonly id: number
  readonly simulation: Simulation
  readonly texts: ScenarioTexts
  readonly variables: ScenarioVariables
}

export interface Progress {
  /** delegations read so far, and in total; both unknown for a run that does not report them */
  readonly read: number | undefined
  readonly total: number | undefined
}

/** The platform refuses a subscription with 32 KiB of variables. */
const maxSubscribed = 32_000
const isLong = ({ changes = '', ...others }: ScenarioVariables): boolean =>
  changes.length > maxSubscribed || JSON.stringify({ changes, ...others }).length > maxSubscribed

/** Runs simulations, one at a time. A run is cancelled by `cancel`, by the next one, and when the page is left. */
export function useRun(client: Client) {
  const [progress, setProgress] = useState<Progress>()
  const [ended, setEnded] = useState<EndedRun>()
  const [error, setError] = useState<CombinedError>()
  const stop = useRef<() => void>(() => undefined)
  const runs = useRef(0)
  useEffect(() => () => stop.current(), [])

  const cancel = useCallback(() => {
    stop.current()
    setProgress(undefined)
  }, [])
  const run = useCallback(
    (texts: ScenarioTexts, variables: ScenarioVariables) => {
      stop.current()
      setError(undefined)
      const id = ++runs.current
      const take = (simulation: Simulation | null | undefined, refusal: CombinedError | undefined): void => {
        if (refusal !== undefined) setError(refusal)
        else if (simulation != null) setEnded({ id, simulation, texts, variables })
        else return
        setProgress(undefined)
      }
      if (isLong(variables)) {
        setProgress({ read: undefined, total: undefined })
        const { unsubscribe } = client
          .query(SimulateDocument, variables)
          .subscribe(({ data, error: refusal }) => take(data?.delegationSimulation, refusal))
        stop.current = unsubscribe
      } else {
        setProgress({ read: 0, total: 0 })
        const { unsubscribe } = client.subscription(RunSimulationDocument, variables).subscribe(({ data, error: refusal }) => {
          const event = data?.delegationSimulationRun
          if (refusal === undefined && event !== undefined && event.simulation === null) setProgress(event)
          else take(event?.simulation, refusal)
        })
        stop.current = unsubscribe
      }
    },
    [client],
  )
  return { run, cancel, progress, ended, error }
}
