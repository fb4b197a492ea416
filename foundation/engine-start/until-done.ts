import { messageOf } from '../fault.ts'
import { type Part, pause } from '../lifecycle.ts'

/** Of the waits between two tries, each twice as long as the one before. */
export interface GrowingWaits {
  readonly firstMs: number
  readonly longestMs: number
}

export interface UntilDoneOptions {
  readonly name: string
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Whether the first try failed for a reason that may pass by itself. For any other the start fails; later ones are all waited for. */
  readonly mayPass: (error: unknown) => boolean
  /** called once for each new reason */
  readonly onWaiting: (error: unknown) => void
  /** called when it was done after having been waited for */
  readonly onDone?: () => void
  readonly waits?: GrowingWaits
}

/** What has to be done once. Its `absence` is why it is not done yet. */
export interface DoneOnce extends Part {
  readonly absence: string | undefined
}

const usualWaits: GrowingWaits = { firstMs: 500, longestMs: 8000 }

/**
 * Does something once: at the start, or, when that fails for a reason that may pass, as soon as it can be done. The start does not wait for
 * more than the first try.
 */
export function untilDone({ name, work, mayPass, onWaiting, onDone, waits = usualWaits }: UntilDoneOptions): DoneOnce {
  const stopping = new AbortController()
  let absence: string | undefined = 'not started'
  let trying: Promise<void> | undefined

  /** @throws when waiting for it is no use */
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
  const keepTrying = async (signal: AbortSignal): Promise<void> => {
    for (let ms = waits.firstMs; !signal.aborted; ms = Math.min(2 * ms, waits.longestMs)) {
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
      if (await attempt(signal, mayPass)) return
      trying = keepTrying(stopping.signal).catch(() => undefined)
    },
    async stop() {
      stopping.abort()
      await trying
    },
  }
}
