import { setImmediate } from 'node:timers/promises'

/** Time after which a computation lets other work run, ms. */
const defaultStepMs = 10

/**
 * Runs a long computation in bounded steps, so that it does not hold the event loop. @param computation - yields wherever it may pause
 * @throws the reason of the signal once it is aborted
 */
export async function inSteps<Result>(computation: Generator<void, Result>, signal?: AbortSignal, stepMs = defaultStepMs): Promise<Result> {
  const pause = pauses(stepMs)
  for (let step = computation.next(); ; step = computation.next()) {
    if (step.done === true) return step.value
    await pause(signal)
  }
}

/** Returns a function that waits for the next turn of the event loop if `stepMs` have passed since it last did. */
export function pauses(stepMs = defaultStepMs): (signal?: AbortSignal) => Promise<void> | undefined {
  let since = performance.now()
  const pause = async (signal: AbortSignal | undefined): Promise<void> => {
    await setImmediate()
    signal?.throwIfAborted()
    since = performance.now()
  }
  return (signal) => (performance.now() - since < stepMs ? undefined : pause(signal))
}

/** Runs a computation in steps to its end at once, for short ones. */
export function atOnce<Result>(computation: Generator<void, Result>): Result {
  let step = computation.next()
  while (step.done !== true) step = computation.next()
  return step.value
}
