import { messageOf } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { CatchUp } from '../../live/catch-up.ts'
import type { FeedEvent } from '../../live/expression-feed.ts'
import type { RecentEvents } from '../../live/recent-events.ts'
import { SubscriptionBoundWork } from '../../live/while-subscribed.ts'
import type { Broadcast } from './broadcast.ts'
import type { RealtimeLimits } from './limits.ts'
import type { RealtimeSource } from './source.ts'

const retryMs = 1000
/** after this silence a feed has caught up: the last positions may be changes rather than new expressions */
const silenceMs = 300

type Follow = (signal: AbortSignal, ready: () => void) => Promise<void>

/** Creates the feeds that run while there are clients: expressions, and changes of statistics, domains and map. */
export function realtimeFeeds({
  source,
  recent,
  broadcast,
  catchUp,
  log,
  limits: { atStart, lingerMs },
}: {
  readonly source: RealtimeSource
  readonly recent: RecentEvents<FeedEvent>
  readonly broadcast: Broadcast
  /** receives every event that was broadcast */
  readonly catchUp: Pick<CatchUp<FeedEvent>, 'settleDue'>
  readonly log: Log
  readonly limits: Pick<RealtimeLimits, 'atStart' | 'lingerMs'>
}): readonly SubscriptionBoundWork[] {
  /** Events without connected clients remain in the feed for resuming clients; the newest are cached for new ones. */
  const followExpressions = (): Follow => {
    recent.forget()
    return async (signal, ready) => {
      const reached = await source.position(signal)
      if (reached === 0) ready()
      // all events after this position will be received here
      if (recent.from === undefined) recent.restart(Math.max(0, reached - atStart))
      let silence: NodeJS.Timeout | undefined
      for await (const event of source.expressions(recent.last, signal)) {
        clearTimeout(silence)
        if (event.seq < reached) silence = setTimeout(ready, silenceMs)
        else ready()
        if (event.kind === 'lagged') {
          recent.restart(event.seq)
          broadcast.lagged(event.seq)
        } else if (recent.add(event)) broadcast.expression(event)
        catchUp.settleDue()
      }
    }
  }
  const followChanges = (): Follow => async (signal, ready) => {
    broadcast.version = await source.version(signal)
    ready()
    for await (const event of source.changes(signal)) broadcast.change(event)
  }
  const whileSubscribed = (what: string, begin: () => Follow): SubscriptionBoundWork =>
    new SubscriptionBoundWork(async (signal, ready) => {
      for (const follow = begin(); !signal.aborted; await pause(retryMs, signal))
        await follow(signal, ready).catch((error: unknown) => {
          if (!signal.aborted) log.warn({ what, reason: messageOf(error) }, 'the realtime channel lost its feed; reconnecting')
        })
    }, lingerMs)
  return [whileSubscribed('expressions', followExpressions), whileSubscribed('changes', followChanges)]
}
