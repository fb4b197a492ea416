import { messageOf } from '../../../foundation/fault.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { SupergraphOrigin } from './supergraph-origin.ts'

export interface SupergraphWatchOptions {
  readonly origin: SupergraphOrigin
  /** of the supergraph that is served when the watch begins */
  readonly sdl: string
  /** Serves another one. @throws {Error} when it cannot be served: the one before it stays */
  readonly take: (sdl: string) => Promise<void>
  /** between two looks */
  readonly everyMs: number
  readonly log: Log
}

/** Looks whether another supergraph is offered. */
export interface SupergraphWatch extends Part {
  /** Looks at once, or as soon as the look that runs has ended and a second is over. */
  now(): void
  /** why the supergraph that is offered is not served; undefined when it is */
  readonly problem: string | undefined
}

/** After a look, however many ask for the next. */
const restMs = 1000

/** One look at a time: what is offered while another is taken, be it ten times a second, is one more look afterwards. */
export function supergraphWatch({ origin, sdl, take, everyMs, log }: SupergraphWatchOptions): SupergraphWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = sdl
  let refused: string | undefined
  let unread: string | undefined
  let asked = new AbortController()
  let loop: Promise<void> | undefined

  const read = async (): Promise<string | undefined> => {
    try {
      const offered = await origin.read(signal)
      unread = undefined
      return offered
    } catch (error) {
      if (unread === undefined && !signal.aborted)
        log.error({ supergraph: origin.name, reason: messageOf(error) }, 'the supergraph cannot be read; the one before is served on')
      unread = 'the supergraph that is offered cannot be read; an older one is served'
      return undefined
    }
  }
  const look = async (): Promise<void> => {
    const offered = await read()
    if (offered === undefined) return
    try {
      if (offered !== current) {
        await take(offered)
        log.info({ supergraph: origin.name }, 'another supergraph is served')
      }
      current = offered
      refused = undefined
    } catch (error) {
      log.error({ supergraph: origin.name, reason: messageOf(error) }, 'the supergraph is refused; the one before is served on')
      refused = 'the supergraph that is offered is refused; an older one is served'
    }
  }

  return {
    name: 'supergraph watch',
    get problem() {
      return refused ?? unread
    },
    now: () => asked.abort(),
    async start() {
      loop = (async () => {
        while (!signal.aborted) {
          await pause(everyMs, AbortSignal.any([signal, asked.signal]))
          if (signal.aborted) return
          asked = new AbortController()
          await look()
          await pause(Math.min(restMs, everyMs), signal)
        }
      })()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
