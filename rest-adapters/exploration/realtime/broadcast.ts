import type { Namespace, Socket } from 'socket.io'
import { type ExpressionFilter, matchesExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import { traitsOf } from '../../live/public-expression.ts'
import { Coalesced } from './coalesced.ts'
import type { EventContent, serverEvents } from './messages.ts'
import type { ChangeEvent, ToldEvent } from './source.ts'
import { mergedTiles, touches } from './tiles.ts'

/** everybody who has subscribed to something */
export const everybody = 'subscribed'

/** What comes from the graph is held against its own rules where it is read. */
type Told<Event extends keyof typeof serverEvents> = {
  readonly [Member in keyof EventContent<Event>]: Member extends 'expression' | 'statistics'
    ? unknown
    : Readonly<EventContent<Event>[Member]>
}

type ChangeOf<Kind extends ChangeEvent['kind']> = Extract<ChangeEvent, { kind: Kind }>

/** Tells the clients of this process what happens: each room has a filter, and each client is in the rooms that it subscribed to. */
export class Broadcast {
  /** the filter of each room that somebody is in */
  readonly rooms = new Map<string, ExpressionFilter>()
  /** what statistics, domains and map are now, at least */
  version = ''
  /** how many are connected, as it was last told */
  #audience: EventContent<'audience'> | undefined
  readonly #everyone: Namespace
  readonly #statistics: Coalesced<ChangeOf<'statistics'>>
  readonly #domains: Coalesced<ChangeOf<'domains'>>
  readonly #map: Coalesced<ChangeOf<'map'>>

  constructor(everyone: Namespace, coalesceMs: number) {
    this.#everyone = everyone
    const newest = <Event>(_: Event, next: Event): Event => next
    this.#statistics = new Coalesced(coalesceMs, newest, ({ seq, version, statistics }) =>
      this.#tell(everybody, 'stats:updated', { seq, version, statistics }),
    )
    this.#domains = new Coalesced(coalesceMs, newest, ({ seq, version }) => this.#tell(everybody, 'domains:updated', { seq, version }))
    this.#map = new Coalesced(
      coalesceMs,
      (before, next) => ({ ...next, tiles: mergedTiles([...before.tiles, ...next.tiles]) }),
      ({ seq, version, tiles }) => {
        const concerned = this.#roomsOf(({ box }) => box === undefined || tiles.some((tile) => touches(box, tile)))
        if (concerned.length > 0) this.#tell(concerned, 'map:invalidated', { seq, version, tiles })
      },
    )
    everyone.adapter.on('delete-room', (room: string) => this.rooms.delete(room))
  }

  expression(event: ToldEvent): void {
    const wanted = this.#roomsOf((filter) => isWanted(filter, event))
    // one call for all rooms: who is in several of them gets it once
    if (wanted.length > 0) this.#everyone.local.to(wanted).emit(...this.#messageOf(event))
  }

  /** Tells one client alone. */
  expressionTo(socket: Socket, event: ToldEvent): void {
    socket.emit(...this.#messageOf(event))
  }

  #messageOf(event: ToldEvent): readonly [event: keyof typeof serverEvents, content: object] {
    const { seq } = event
    const { version } = this
    if (event.kind === 'expression_withdrawn') return ['expression:withdrawn', { seq, version, id: event.id }]
    return ['expression:created', { seq, version, expression: event.expression }]
  }

  /** What was before this seq can no longer be told. */
  lagged(seq: number): void {
    this.#tell(everybody, 'lagged', { seq, dropped: null })
  }

  change(event: ChangeEvent): void {
    this.version = event.version
    if (event.kind === 'statistics') this.#statistics.add(event)
    else if (event.kind === 'domains') this.#domains.add(event)
    else this.#map.add(event)
  }

  audience(clients: number): void {
    this.#audience = { clients }
    this.#tell(everybody, 'audience', this.#audience)
  }

  /** Tells one who has come after it was told to everybody. */
  audienceTo(socket: Socket): void {
    if (this.#audience !== undefined) socket.emit('audience' satisfies keyof typeof serverEvents, this.#audience)
  }

  stop(): void {
    for (const each of [this.#statistics, this.#domains, this.#map]) each.stop()
  }

  #roomsOf(isConcerned: (filter: ExpressionFilter) => boolean): string[] {
    return [...this.rooms].filter(([, filter]) => isConcerned(filter)).map(([room]) => room)
  }

  /** `local`: every replica hears by itself what happens. */
  #tell<Event extends keyof typeof serverEvents>(rooms: string | string[], event: Event, content: Told<Event>): void {
    this.#everyone.local.to(rooms).emit(event, content)
  }
}

/** Whether a filter lets an event through: every one lets a withdrawal. */
export const isWanted = (filter: ExpressionFilter, event: ToldEvent): boolean =>
  event.kind === 'expression_withdrawn' || matchesExpressionFilter(filter, traitsOf(event.expression))
