import type { Socket } from 'socket.io'
import { messageOf } from '../../../subgraphs/foundation/fault.ts'
import { matchesExpressionFilter } from '../../../subgraphs/foundation/filter/expression-filter.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { MissedEvents } from '../../live/missed-events.ts'
import { traitsOf } from '../../live/public-expression.ts'
import type { RecentEvents } from '../../live/recent-events.ts'
import { type Broadcast, everybody } from './broadcast.ts'
import { isRoom, type RealtimeRefusal, readSubscription, roomOf } from './filter.ts'
import type { RealtimeLimits } from './limits.ts'
import type { ExpressionEvent, RealtimeSource } from './source.ts'

export type Answer = (answer: object) => void

const questionMs = 5000

export const refused = ({ detail }: RealtimeRefusal) => ({ ok: false, detail })

/** Puts clients into the rooms of their filters, beginning with what they have missed. */
export class Subscriptions {
  readonly #source: RealtimeSource
  readonly #recent: RecentEvents<ExpressionEvent>
  readonly #missed: MissedEvents<ExpressionEvent>
  readonly #broadcast: Broadcast
  readonly #limits: Pick<RealtimeLimits, 'rooms' | 'roomsPerClient'>
  readonly #log: Log
  readonly #signal: AbortSignal

  /** @param signal - aborted when the channel stops */
  constructor(options: {
    readonly source: RealtimeSource
    readonly recent: RecentEvents<ExpressionEvent>
    readonly broadcast: Broadcast
    readonly limits: Pick<RealtimeLimits, 'rooms' | 'roomsPerClient'>
    readonly log: Log
    readonly signal: AbortSignal
  }) {
    this.#source = options.source
    this.#recent = options.recent
    this.#missed = new MissedEvents(options.source, options.recent, options.signal)
    this.#broadcast = options.broadcast
    this.#limits = options.limits
    this.#log = options.log
    this.#signal = options.signal
  }

  /** @param ready - resolves when the newest expressions and the version are known, or nearly */
  async subscribe(socket: Socket, content: unknown, answer: Answer, ready: () => Promise<unknown>): Promise<void> {
    const subscription = readSubscription(content)
    if ('detail' in subscription) return answer(refused(subscription))
    await ready()
    const { filter, after, recent: wanted } = subscription
    const room = roomOf(filter)
    const detail = await this.#reasonAgainst(socket, room, filter.taxonomy?.[0])
    if (detail !== undefined) return answer(refused({ detail }))
    const { rooms } = this.#broadcast
    const matches = ({ expression }: ExpressionEvent): boolean => matchesExpressionFilter(filter, traitsOf(expression))
    const join = (older: readonly ExpressionEvent[]): void => {
      if (!socket.connected) return
      if (!rooms.has(room)) rooms.set(room, filter)
      // the adapters in use join at once; nothing can come between what is sent here and what the room gets
      void socket.join([room, everybody])
      answer({ ok: true, room, version: this.#broadcast.version, seq: this.#recent.last })
      for (const event of older) socket.emit('expression:created', this.#broadcast.created(event))
    }
    if (after === undefined) return join(this.#recent.newest(wanted, matches))
    // another replica may be ahead of this one; a place that nobody has reached is of another feed
    const isOurs = after <= this.#recent.last || after <= (await this.#position())
    await this.#missed.after(after, (missing) => {
      const found = isOurs ? missing : undefined
      join(found?.filter(matches) ?? [])
      if (found === undefined) socket.emit('lagged', { seq: this.#recent.last, dropped: null })
    })
  }

  /** @param content - the room as it was answered, or the filter */
  unsubscribe(socket: Socket, content: unknown): object {
    const named = typeof content === 'object' && content !== null && 'room' in content ? content.room : undefined
    const subscription = typeof named === 'string' ? undefined : readSubscription(content)
    if (subscription !== undefined && 'detail' in subscription) return refused(subscription)
    const room = subscription === undefined ? String(named) : roomOf(subscription.filter)
    if (!isRoom(room) || !socket.rooms.has(room)) return refused({ detail: 'There is no such subscription' })
    void socket.leave(room)
    if (![...socket.rooms].some(isRoom)) void socket.leave(everybody)
    return { ok: true, room }
  }

  async #reasonAgainst(socket: Socket, room: string, domain: string | undefined): Promise<string | undefined> {
    const { roomsPerClient, rooms: maxRooms } = this.#limits
    const { rooms } = this.#broadcast
    if (!socket.rooms.has(room) && [...socket.rooms].filter(isRoom).length >= roomsPerClient)
      return `At most ${roomsPerClient} subscriptions at once; unsubscribe from one first`
    if (rooms.has(room)) return undefined
    if (rooms.size >= maxRooms) return 'Too many different filters are in use; subscribe with a wider one'
    if (domain === undefined) return undefined
    const isKnown = await this.#source.knowsDomain(domain, AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)]))
    return isKnown ? undefined : `domain ${JSON.stringify(domain)} is unknown`
  }

  /** Where the feed stands; nowhere when it cannot be asked. */
  #position(): Promise<number> {
    return this.#source.position(AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)])).catch((error: unknown) => {
      this.#log.debug({ reason: messageOf(error) }, 'the feed cannot be asked where it stands')
      return 0
    })
  }
}
