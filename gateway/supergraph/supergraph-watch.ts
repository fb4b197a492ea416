import { messageOf } from '../../foundation/fault.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { SupergraphOrigin } from './supergraph-origin.ts'

export interface SupergraphWatchOptions {
  readonly origin: SupergraphOrigin
  /** supergraph served at the start */
  readonly sdl: string
  /** Serves another supergraph. @throws {Error} if it cannot be served: the previous one stays */
  readonly serve: (sdl: string) => Promise<void>
  /** poll interval, ms */
  readonly everyMs: number
  readonly log: Log
}

/** Polls for another supergraph. */
export interface SupergraphWatch extends Part {
  /** Polls immediately, or a second after a running poll. */
  poll(): void
  /** why a new supergraph is not served; undefined if it is */
  readonly problem: string | undefined
}

/** Minimum pause between polls. */
const restMs = 1000

/** Polls one at a time; any number of changes during a switch cause one more poll. */
export function supergraphWatch({ origin, sdl, serve, everyMs, log }: SupergraphWatchOptions): SupergraphWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = sdl
  let refused: string | undefined
  let unread: string | undefined
  let pollRequest = new AbortController()
  let loop: Promise<void> | undefined

  const read = async (): Promise<string | undefined> => {
    try {
      const fetched = await origin.read(signal)
      unread = undefined
      return fetched
    } catch (error) {
      if (unread === undefined && !signal.aborted)
        log.error({ supergraph: origin.name, reason: messageOf(error) }, 'cannot read the supergraph; the previous one stays in use')
      unread = 'the new supergraph cannot be read; the previous one is in use'
      return undefined
    }
  }
  const check = async (): Promise<void> => {
    const fetched = await read()
    if (fetched === undefined) return
    try {
      if (fetched !== current) {
        await serve(fetched)
        log.info({ supergraph: origin.name }, 'supergraph replaced')
      }
      current = fetched
      refused = undefined
    } catch (error) {
      log.error({ supergraph: origin.name, reason: messageOf(error) }, 'supergraph rejected; the previous one stays in use')
      refused = 'the new supergraph was rejected; the previous one is in use'
    }
  }

  return {
    name: 'supergraph watch',
    get problem() {
      return refused ?? unread
    },
    poll: () => pollRequest.abort(),
    async start() {
      loop = (async () => {
        while (!signal.aborted) {
          await pause(everyMs, AbortSignal.any([signal, pollRequest.signal]))
          if (signal.aborted) return
          pollRequest = new AbortController()
          await check()
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
