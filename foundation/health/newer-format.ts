import { type Part, periodic } from '../lifecycle.ts'
import type { Log } from '../log.ts'

const pollEveryMs = 30_000
/** during a rolling update, work of a newer release waits for less time than this until a newer process takes it */
export const newerAfterMs = 10_000

/**
 * @param what - plural noun: "messages"
 * @returns one sentence, for logs and health
 */
export const newerSentence = (what: string): string => `${what} of a newer release wait for a process of that release`

/** A newer release wrote data in a format that this release does not know. The data stays for a process of that release. */
export class NewerFormat extends Error {
  constructor(what: string) {
    super(newerSentence(what))
    this.name = 'NewerFormat'
  }
}

/**
 * Logs that work waits for a process of a newer release: once, and again after the queue was empty.
 * @param what - plural noun
 * @param count - returns the number of waiting items
 */
export function newerWatch(what: string, count: (signal: AbortSignal) => Promise<number>, log: Log, everyMs = pollEveryMs): Part {
  let isLogged = false
  return periodic(
    `watch over ${what} of newer releases`,
    everyMs,
    async (signal) => {
      const waiting = await count(signal)
      if (waiting > 0 && !isLogged) log.warn({ waiting }, newerSentence(what))
      isLogged = waiting > 0
    },
    (error) => log.debug({ err: error }, 'could not count work of a newer release'),
  )
}
