import { networkOf } from '../../../foundation/network-address.ts'
import type { RealtimeLimits } from './limits.ts'

type RoomLimits = Pick<RealtimeLimits, 'rooms' | 'roomsPerClient' | 'roomsPerAddress' | 'subscriptionsPerAddress'>

/** Rooms of the clients of one address: number of clients in or joining each. */
interface AddressRooms {
  readonly clients: Map<string, number>
  subscriptions: number
}

/** A client of the channel. */
export interface RoomClient {
  readonly address: string | undefined
  /** its rooms, and whether each filter is plain */
  readonly rooms: Map<string, boolean>
}

/** Counts rooms that clients are in or joining: per client, per address (IPv6 by /64), and in total for filters that are not plain. */
export class RoomsInUse {
  readonly #limits: RoomLimits
  /** number of addresses per room with a filter that is not plain */
  readonly #addresses = new Map<string, number>()
  readonly #byAddress = new Map<string, AddressRooms>()

  constructor(limits: RoomLimits) {
    this.#limits = limits
  }

  /** Enters a room. @returns the reason for a refusal as a sentence; undefined when it is counted */
  enter(client: RoomClient, room: string, isPlain: boolean): string | undefined {
    if (client.rooms.has(room)) return undefined
    const { roomsPerClient, roomsPerAddress, subscriptionsPerAddress, rooms } = this.#limits
    if (client.rooms.size >= roomsPerClient) return `At most ${roomsPerClient} subscriptions per client; unsubscribe from one first`
    const network = networkOf(client.address ?? '')
    const own = this.#byAddress.get(network) ?? { clients: new Map<string, number>(), subscriptions: 0 }
    if (own.subscriptions >= subscriptionsPerAddress) return 'Too many subscriptions from this address; unsubscribe from one first'
    if (!isPlain && !own.clients.has(room)) {
      if (own.clients.size >= roomsPerAddress) return 'Too many different filters from this address; use a wider filter'
      if (!this.#addresses.has(room) && this.#addresses.size >= rooms) return 'Too many different filters on the server; use a wider filter'
      change(this.#addresses, room, 1)
    }
    client.rooms.set(room, isPlain)
    own.subscriptions += 1
    if (!isPlain) change(own.clients, room, 1)
    this.#byAddress.set(network, own)
    return undefined
  }

  leave(client: RoomClient, room: string): void {
    const isPlain = client.rooms.get(room)
    const network = networkOf(client.address ?? '')
    const own = this.#byAddress.get(network)
    if (isPlain === undefined || own === undefined) return
    client.rooms.delete(room)
    own.subscriptions -= 1
    if (!isPlain && change(own.clients, room, -1) === 0) change(this.#addresses, room, -1)
    if (own.subscriptions === 0) this.#byAddress.delete(network)
  }

  leaveAll(client: RoomClient): void {
    for (const room of [...client.rooms.keys()]) this.leave(client, room)
  }
}

/** @returns the new count; a key with count 0 is deleted */
function change(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
  return count
}
