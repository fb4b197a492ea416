import { messageOf } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { CatchUp } from '../../live/catch-up.ts'
import type { RecentEvents } from '../../live/recent-events.ts'
import { WhileSubscribed } from '../../live/while-subscribed.ts'
import type { Broadcast } from './broadcast.ts'
import type { RealtimeLimits } from './limits.ts'
import type { RealtimeSource, ToldEvent } from './source.ts'

const retryMs = 1000
/** a feed that has told something and then nothing for so long has told what there was: the last places may be of changes, not of what is new */
const silenceMs = 300

type Follow = (over: AbortSignal, ready: () => void) => Promise<void>

/** What the channel is fed with while it has clients: expressions as they come, and that statistics, domains or the map have changed. */
export function realtimeFeeds({
  source,
  recent,
  broadcast,
  catchUp,
  log,
  limits: { atStart, lingerMs },
}: {
  readonly source: RealtimeSource
  readonly recent: RecentEvents<ToldEvent>
  readonly broadcast: Broadcast
  /** told of everything that the others were told */
  readonly catchUp: Pick<CatchUp<ToldEvent>, 'settleDue'>
  readonly log: Log
  readonly limits: Pick<RealtimeLimits, 'atStart' | 'lingerMs'>
}): readonly WhileSubscribed[] {
  /** What happened while nobody listened is in the feed for those that come back; the newest of it are kept for those that are new. */
  const followExpressions = (): Follow => {
    recent.forget()
    return async (over, ready) => {
      const reached = await source.position(over)
      if (reached === 0) ready()
      // everything after this place will be told here
      if (recent.from === undefined) recent.restart(Math.max(0, reached - atStart))
      let silence: NodeJS.Timeout | undefined
      for await (const event of source.expressions(recent.last, over)) {
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
  const followChanges = (): Follow => async (over, ready) => {
    broadcast.version = await source.version(over)
    ready()
    for await (const event of source.changes(over)) broadcast.change(event)
  }
  const whileSubscribed = (what: string, begin: () => Follow): WhileSubscribed =>
    new WhileSubscribed(async (over, ready) => {
      for (const follow = begin(); !over.aborted; await pause(retryMs, over))
        await follow(over, ready).catch((error: unknown) => {
          if (!over.aborted) log.warn({ what, reason: messageOf(error) }, 'the realtime channel lost its feed; trying on')
        })
    }, lingerMs)
  return [whileSubscribed('expressions', followExpressions), whileSubscribed('changes', followChanges)]
}
