import { type Part, periodic } from '../lifecycle.ts'
import type { Log } from '../log.ts'

const lookEveryMs = 30_000
/** work of a newer release that waits for less is on its way: processes of both run while one follows the other */
export const newerAfterMs = 10_000

/** @param what - in the plural: "messages"   @returns one sentence, for logs and health */
export const newerSentence = (what: string): string => `${what} of a newer release wait for a process of that release`

/** A newer release wrote something in a way that this one does not know. It stays where it is, for a process of that release. */
export class NewerFormat extends Error {
  constructor(what: string) {
    super(newerSentence(what))
    this.name = 'NewerFormat'
  }
}

/**
 * Says in the log that work waits for a process of a newer release: once, and again after there was none.
 * @param what - in the plural   @param count - how many wait
 */
export function newerWatch(what: string, count: (signal: AbortSignal) => Promise<number>, log: Log, everyMs = lookEveryMs): Part {
  let isTold = false
  return periodic(
    `watch over ${what} of newer releases`,
    everyMs,
    async (signal) => {
      const waiting = await count(signal)
      if (waiting > 0 && !isTold) log.warn({ waiting }, newerSentence(what))
      isTold = waiting > 0
    },
    (error) => log.debug({ err: error }, 'whether work of a newer release waits could not be asked'),
  )
}
