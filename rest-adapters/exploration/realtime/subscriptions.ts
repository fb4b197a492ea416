import type { Socket } from 'socket.io'
import { excerpt } from '../../../foundation/validation/values.ts'
import type { CatchUp } from '../../live/catch-up.ts'
import type { FeedEvent } from '../../live/expression-feed.ts'
import type { RecentEvents } from '../../live/recent-events.ts'
import { type Broadcast, isWanted, subscribers } from './broadcast.ts'
import { isPlain, isRoom, type RealtimeRefusal, readSubscription, roomOf } from './filter.ts'
import type { RealtimeLimits } from './limits.ts'
import { type RoomClient, RoomsInUse } from './rooms-in-use.ts'
import type { RealtimeSource } from './source.ts'

export type Answer = (answer: object) => void

const questionMs = 5000
/** packets that wait until a resuming client reads, before it receives more */
const maxWaiting = 20

export const refused = (refusal: RealtimeRefusal) => ({ ok: false, ...refusal })

/** @param connection - of Engine.IO */
const packetsWaitingFor = (connection: object): number =>
  'writeBuffer' in connection && Array.isArray(connection.writeBuffer) ? connection.writeBuffer.length : 0

/** Adds clients to the rooms of their filters, starting with missed events. */
export class Subscriptions {
  readonly #source: RealtimeSource
  readonly #recent: RecentEvents<FeedEvent>
  readonly #catchUp: CatchUp<FeedEvent>
  readonly #broadcast: Broadcast
  readonly #inUse: RoomsInUse
  readonly #clients = new WeakMap<Socket, RoomClient>()
  readonly #signal: AbortSignal
  /** rooms that a client is joining, with a controller to abort each */
  readonly #comingTo = new WeakMap<Socket, Map<string, AbortController>>()

  /** @param signal - aborted when the channel stops */
  constructor(options: {
    readonly source: RealtimeSource
    readonly recent: RecentEvents<FeedEvent>
    readonly broadcast: Broadcast
    readonly limits: RealtimeLimits
    readonly catchUp: CatchUp<FeedEvent>
    readonly signal: AbortSignal
  }) {
    this.#source = options.source
    this.#recent = options.recent
    this.#catchUp = options.catchUp
    this.#broadcast = options.broadcast
    this.#inUse = new RoomsInUse(options.limits)
    this.#signal = options.signal
  }

  /** Counts the rooms of a client by its address until it disconnects. */
  admit(socket: Socket, address: string | undefined): void {
    const client: RoomClient = { address, rooms: new Map() }
    this.#clients.set(socket, client)
    socket.once('disconnect', () => {
      this.#clients.delete(socket)
      this.#inUse.leaveAll(client)
    })
  }

  /** @param ready - resolves when the newest expressions and the version are known, or the wait ends */
  async subscribe(socket: Socket, content: unknown, answer: Answer, ready: () => Promise<unknown>): Promise<void> {
    const subscription = readSubscription(content)
    if ('detail' in subscription) return answer(refused(subscription))
    await ready()
    const { filter, after, recent: wanted } = subscription
    const room = roomOf(filter)
    const unknown = await this.#unknownDomain(room, filter.taxonomy?.[0])
    if (unknown !== undefined) return answer(refused({ detail: unknown }))
    const client = this.#clients.get(socket)
    if (client === undefined) return
    const detail = this.#inUse.enter(client, room, isPlain(filter))
    if (detail !== undefined) return answer(refused({ detail }))
    const { rooms } = this.#broadcast
    const matches = (event: FeedEvent): boolean => isWanted(filter, event)
    const send = (event: FeedEvent): void => this.#broadcast.expressionTo(socket, event)
    const accept = (seq: number): void => answer({ ok: true, room, version: this.#broadcast.version, seq })
    const join = (): void => {
      if (!rooms.has(room)) rooms.set(room, filter)
      if (!socket.rooms.has(subscribers)) this.#broadcast.audienceTo(socket)
      // the adapters in use join synchronously: no event can come between
      void socket.join([room, subscribers])
    }
    if (after === undefined) {
      if (!socket.connected) return
      join()
      accept(this.#recent.last)
      return this.#recent.newest(wanted, (event) => event.kind === 'expression' && matches(event)).forEach(send)
    }
    const coming = this.#begin(socket, room)
    // acknowledged first and only once
    accept(after)
    this.#catchUp.resume(
      {
        isDisconnected: () => coming.aborted || !socket.connected,
        isBehind: () => packetsWaitingFor(socket.conn) > maxWaiting,
        // unlike after a disconnection by Socket.IO, the client reconnects
        cut: () => socket.conn.close(true),
        send: (event) => matches(event) && send(event),
        join: (rest) => {
          this.#end(socket, room)
          join()
          rest.filter(matches).forEach(send)
        },
        lag: () => {
          if (coming.aborted || !socket.connected) return
          this.#end(socket, room)
          join()
          socket.emit('lagged', { seq: this.#recent.last, dropped: null })
        },
      },
      after,
    )
  }

  /** @param content - the room of the acknowledgement, or the filter */
  unsubscribe(socket: Socket, content: unknown): object {
    const named = typeof content === 'object' && content !== null && 'room' in content ? content.room : undefined
    const subscription = typeof named === 'string' ? undefined : readSubscription(content)
    if (subscription !== undefined && 'detail' in subscription) return refused(subscription)
    const room = subscription === undefined ? String(named) : roomOf(subscription.filter)
    const client = this.#clients.get(socket)
    if (client !== undefined) this.#inUse.leave(client, room)
    const wasComing = this.#end(socket, room)
    if (!isRoom(room) || !(wasComing || socket.rooms.has(room))) return refused({ detail: 'Subscription not found' })
    void socket.leave(room)
    if (![...socket.rooms].some(isRoom)) void socket.leave(subscribers)
    return { ok: true, room }
  }

  /** Returns the refusal of a domain that is not in the taxonomy. The domain of a room in use is known. */
  async #unknownDomain(room: string, domain: string | undefined): Promise<string | undefined> {
    if (domain === undefined || this.#broadcast.rooms.has(room)) return undefined
    const isKnown = await this.#source.knowsDomain(domain, AbortSignal.any([this.#signal, AbortSignal.timeout(questionMs)]))
    return isKnown ? undefined : `domain ${JSON.stringify(excerpt(domain))} is unknown`
  }

  /** @returns a signal that is aborted when the client no longer joins the room this way */
  #begin(socket: Socket, room: string): AbortSignal {
    this.#end(socket, room)
    const coming = this.#comingTo.get(socket) ?? new Map<string, AbortController>()
    const endController = new AbortController()
    this.#comingTo.set(socket, coming.set(room, endController))
    return endController.signal
  }

  /** @returns whether it was joining the room */
  #end(socket: Socket, room: string): boolean {
    const coming = this.#comingTo.get(socket)
    coming?.get(room)?.abort()
    return coming?.delete(room) ?? false
  }
}
