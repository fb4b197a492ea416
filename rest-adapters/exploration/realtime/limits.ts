/** Limits of /socket.realtime, in one process. */
export interface RealtimeLimits {
  readonly clients: number
  /** per address (IPv6: /64) */
  readonly clientsPerAddress: number
  readonly roomsPerClient: number
  /** subscriptions of all clients of one address */
  readonly subscriptionsPerAddress: number
  /** distinct filters in use, without plain ones (no condition, a domain or a sentiment) */
  readonly rooms: number
  /** of these, filters used by clients of one address */
  readonly roomsPerAddress: number
  readonly frameBytes: number
  /** messages of one client: burst size, and rate per second */
  readonly burst: number
  readonly perSecond: number
  /** packets of any kind before a client is disconnected: burst size, and rate per second */
  readonly packetBurst: number
  readonly packetsPerSecond: number
  /** packets in the send queue of a slow client */
  readonly waiting: number
  /** expressions in memory for resuming clients */
  readonly retained: number
  /** positions read back at the start, for clients that request the newest expressions */
  readonly atStart: number
  /** how long the feed continues after the last client disconnects */
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
  retained: 2000,
  atStart: 500,
  lingerMs: 60_000,
  coalesceMs: 1000,
}
