import type { Namespace, Socket } from 'socket.io'
import { type ExpressionFilter, matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import type { FeedEvent } from '../../live/expression-feed.ts'
import { traitsOf } from '../../live/public-expression.ts'
import { CoalescedEvents } from './coalesced.ts'
import type { EventContent, serverEvents } from './messages.ts'
import type { ChangeEvent } from './source.ts'
import { mergedTiles, touches } from './tiles.ts'

/** room of all clients with a subscription */
export const subscribers = 'subscribed'

/** Content of events; data from the graph is validated where it is read. */
type EventData<Event extends keyof typeof serverEvents> = {
  readonly [Member in keyof EventContent<Event>]: Member extends 'expression' | 'statistics'
    ? unknown
    : Readonly<EventContent<Event>[Member]>
}

type ChangeOf<Kind extends ChangeEvent['kind']> = Extract<ChangeEvent, { kind: Kind }>

/** Sends events to the clients of this process. A room represents a filter; a client is in the rooms of its subscriptions. */
export class Broadcast {
  /** filters of the rooms in use */
  readonly rooms = new Map<string, ExpressionFilter>()
  /** oldest current version of statistics, domains and map */
  version = ''
  /** the most recently sent number of connected clients */
  #audience: EventContent<'audience'> | undefined
  readonly #everyone: Namespace
  readonly #statistics: CoalescedEvents<ChangeOf<'statistics'>>
  readonly #domains: CoalescedEvents<ChangeOf<'domains'>>
  readonly #map: CoalescedEvents<ChangeOf<'map'>>

  constructor(everyone: Namespace, coalesceMs: number) {
    this.#everyone = everyone
    const newest = <Event>(_: Event, next: Event): Event => next
    this.#statistics = new CoalescedEvents(coalesceMs, newest, ({ seq, version, statistics }) =>
      this.#send(subscribers, 'stats:updated', { seq, version, statistics }),
    )
    this.#domains = new CoalescedEvents(coalesceMs, newest, ({ seq, version }) =>
      this.#send(subscribers, 'domains:updated', { seq, version }),
    )
    this.#map = new CoalescedEvents(
      coalesceMs,
      (before, next) => ({ ...next, tiles: mergedTiles([...before.tiles, ...next.tiles]) }),
      ({ seq, version, tiles }) => {
        const concerned = this.#roomsOf(({ box }) => box === undefined || tiles.some((tile) => touches(box, tile)))
        if (concerned.length > 0) this.#send(concerned, 'map:invalidated', { seq, version, tiles })
      },
    )
    everyone.adapter.on('delete-room', (room: string) => this.rooms.delete(room))
  }

  expression(event: FeedEvent): void {
    const wanted = this.#roomsOf((filter) => isWanted(filter, event))
    // one call for all rooms, so that a client in several of them receives the event once
    if (wanted.length > 0) this.#everyone.local.to(wanted).emit(...this.#messageOf(event))
  }

  /** Sends an expression event to one client. */
  expressionTo(socket: Socket, event: FeedEvent): void {
    socket.emit(...this.#messageOf(event))
  }

  #messageOf(event: FeedEvent): readonly [event: keyof typeof serverEvents, content: object] {
    const { seq } = event
    const { version } = this
    if (event.kind === 'expression_withdrawn') return ['expression:withdrawn', { seq, version, id: event.id }]
    return ['expression:created', { seq, version, expression: event.expression }]
  }

  /** Reports that events before this seq are no longer available. */
  lagged(seq: number): void {
    this.#send(subscribers, 'lagged', { seq, dropped: null })
  }

  change(event: ChangeEvent): void {
    this.version = event.version
    if (event.kind === 'statistics') this.#statistics.add(event)
    else if (event.kind === 'domains') this.#domains.add(event)
    else this.#map.add(event)
  }

  audience(clients: number): void {
    this.#audience = { clients }
    this.#send(subscribers, 'audience', this.#audience)
  }

  /** Sends the number of clients to a client that connected after the last broadcast. */
  audienceTo(socket: Socket): void {
    if (this.#audience !== undefined) socket.emit('audience' satisfies keyof typeof serverEvents, this.#audience)
  }

  stop(): void {
    for (const each of [this.#statistics, this.#domains, this.#map]) each.stop()
  }

  #roomsOf(isConcerned: (filter: ExpressionFilter) => boolean): string[] {
    return [...this.rooms].filter(([, filter]) => isConcerned(filter)).map(([room]) => room)
  }

  /** `local`: every replica follows the events itself. */
  #send<Event extends keyof typeof serverEvents>(rooms: string | string[], event: Event, content: EventData<Event>): void {
    this.#everyone.local.to(rooms).emit(event, content)
  }
}

/** Returns whether a filter matches an event; withdrawals match every filter. */
export const isWanted = (filter: ExpressionFilter, event: FeedEvent): boolean =>
  event.kind === 'expression_withdrawn' ||
  matchesExpressionFilter(filter, { ...traitsOf(event.expression), formerDomains: event.formerDomains })
