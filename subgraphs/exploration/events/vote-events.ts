import { votesTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { pause } from '../../../foundation/lifecycle.ts'

/** The votes on an expression have changed, or events were lost. */
export interface VoteEvent {
  readonly position: number
  readonly kind: string
  /** null for lost events */
  readonly expressionId: string | null
}

/**
 * Yields expressions whose votes have changed, in order of their last change. Changes of one expression within `everyMs` are one event, because
 * only the current counts matter.
 * @param wanted - ids of expressions; undefined for all
 * @param after - the last position received; undefined yields only new events
 */
export async function* voteEvents(
  feed: EventFeed,
  wanted: ReadonlySet<string> | undefined,
  options: { readonly after: number | undefined; readonly everyMs: number; readonly signal: AbortSignal },
): AsyncGenerator<VoteEvent> {
  const { after, everyMs, signal } = options
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const from = after ?? (await feed.position(votesTopic, signal))
  /** by expression, in order of `position`; lost events are under null */
  const waiting = new Map<string | null, VoteEvent>()
  let arrived = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const event of feed.follow(votesTopic, from, until)) {
      const isLag = event.type === 'lagged'
      if (!isLag && (event.kind !== 'expression_voted' || wanted?.has(event.id) === false)) continue
      const expressionId = isLag ? null : event.id
      waiting.delete(expressionId)
      waiting.set(expressionId, { position: event.position, kind: isLag ? 'lagged' : 'changed', expressionId })
      arrived.resolve()
    }
  })().finally(() => arrived.resolve())
  try {
    while (!until.aborted) {
      await Promise.race([arrived.promise, reading])
      const events = [...waiting.values()]
      if (events.length === 0) {
        await reading
        return
      }
      waiting.clear()
      arrived = Promise.withResolvers<void>()
      yield* events
      await pause(everyMs, until)
    }
  } finally {
    ended.abort()
    reading.catch(() => undefined)
  }
}
