import { messageOf } from '../fault.ts'
import { type Part, pause } from '../lifecycle.ts'

/** Delays between attempts; each is twice the previous one. */
export interface BackoffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

export interface RetryUntilDoneOptions {
  readonly name: string
  readonly work: (signal: AbortSignal) => Promise<void>
  /** whether an error of the first attempt is transient. Other errors fail the start; errors of later attempts are all retried. */
  readonly isTransient: (error: unknown) => boolean
  /** called once per distinct reason */
  readonly onWaiting: (error: unknown) => void
  /** called when the work succeeds after a failed attempt */
  readonly onDone?: () => void
  readonly waits?: BackoffLimits
}

/** Work that must succeed once. `absence` is why it has not succeeded yet. */
export interface RetriedWork extends Part {
  readonly absence: string | undefined
}

const defaultWaits: BackoffLimits = { firstMs: 500, maxMs: 8000 }

/**
 * Runs work at the start, and retries it in the background if the first attempt fails with a transient error. The start waits for the first attempt
 * only.
 */
export function retryUntilDone({ name, work, isTransient, onWaiting, onDone, waits = defaultWaits }: RetryUntilDoneOptions): RetriedWork {
  const stopping = new AbortController()
  let absence: string | undefined = 'not started'
  let trying: Promise<void> | undefined

  /** @throws if the error is not transient */
  const attempt = async (signal: AbortSignal, waitable: (error: unknown) => boolean): Promise<boolean> => {
    try {
      await work(signal)
    } catch (error) {
      if (signal.aborted || !waitable(error)) throw error
      if (messageOf(error) !== absence) onWaiting(error)
      absence = messageOf(error)
      return false
    }
    absence = undefined
    return true
  }
  const retry = async (signal: AbortSignal): Promise<void> => {
    for (let ms = waits.firstMs; !signal.aborted; ms = Math.min(2 * ms, waits.maxMs)) {
      await pause(ms, signal)
      if (signal.aborted) return
      if (await attempt(signal, () => true)) return onDone?.()
    }
  }

  return {
    name,
    get absence() {
      return absence
    },
    async start(signal) {
      if (await attempt(signal, isTransient)) return
      trying = retry(stopping.signal).catch(() => undefined)
    },
    async stop() {
      stopping.abort()
      await trying
    },
  }
}
