/** What a client of /ws may cost; each in one process. */
export interface StreamLimits {
  readonly clients: number
  readonly clientsPerUser: number
  /** of one address (IPv6: /64) */
  readonly clientsPerAddress: number
  readonly frameBytes: number
  /** frames that one client may send at once, and a second in the long run */
  readonly burst: number
  readonly perSecond: number
  /** bytes that may wait to be read; what comes beyond is left out and counted */
  readonly waitingBytes: number
  /** frames of what it has missed that may wait; one that reads slower than that is closed, and comes back for the rest */
  readonly waitingFrames: number
  /** how long a client may leave things out before it is closed */
  readonly slowReaderTimeoutMs: number
  readonly heartbeatMs: number
  /** events kept in memory for clients that come back */
  readonly kept: number
  /** how long the stream is followed after the last client has gone */
  readonly lingerMs: number
}

export const streamLimits: StreamLimits = {
  clients: 10_000,
  clientsPerUser: 100,
  clientsPerAddress: 500,
  frameBytes: 16 * 1024,
  burst: 20,
  perSecond: 5,
  waitingBytes: 1024 * 1024,
  waitingFrames: 20_000,
  slowReaderTimeoutMs: 10_000,
  heartbeatMs: 30_000,
  kept: 2000,
  lingerMs: 60_000,
}
