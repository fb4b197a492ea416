/** What clients of /socket.realtime may cost; in one process. */
export interface RealtimeLimits {
  readonly clients: number
  /** of one address (IPv6: /64) */
  readonly clientsPerAddress: number
  readonly roomsPerClient: number
  /** subscriptions of all clients of one address */
  readonly subscriptionsPerAddress: number
  /** different filters in use, besides the plain ones: no condition, a domain or a sentiment */
  readonly rooms: number
  /** of these, filters that the clients of one address use */
  readonly roomsPerAddress: number
  readonly frameBytes: number
  /** messages that one client may send at once, and a second in the long run */
  readonly burst: number
  readonly perSecond: number
  /** packets of any kind after which a client is cut off, at once and a second */
  readonly packetBurst: number
  readonly packetsPerSecond: number
  /** packets that may wait for a slow client */
  readonly waiting: number
  /** expressions kept for clients that come back */
  readonly kept: number
  /** so many places before now are read at the start, for clients that ask for the newest expressions */
  readonly atStart: number
  /** how long the feed is followed after the last client has gone */
  readonly lingerMs: number
  readonly coalesceMs: number
}

export const realtimeLimits: RealtimeLimits = {
  clients: 20_000,
  clientsPerAddress: 500,
  roomsPerClient: 20,
  subscriptionsPerAddress: 5000,
  rooms: 10_000,
  roomsPerAddress: 500,
  frameBytes: 16 * 1024,
  burst: 20,
  perSecond: 5,
  packetBurst: 200,
  packetsPerSecond: 50,
  waiting: 1000,
  kept: 2000,
  atStart: 500,
  lingerMs: 60_000,
  coalesceMs: 1000,
}
