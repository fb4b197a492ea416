/** Limits per client of /ws; each applies to one process. */
export interface StreamLimits {
  readonly clients: number
  readonly clientsPerUser: number
  /** per address (IPv6: /64) */
  readonly clientsPerAddress: number
  readonly frameBytes: number
  /** frames of one client: burst size, and rate per second */
  readonly burst: number
  readonly perSecond: number
  /** bytes in the send queue; further events are omitted and counted */
  readonly waitingBytes: number
  /** how long events may be omitted, or missed ones wait, before the client is closed; it can resume */
  readonly slowReaderTimeoutMs: number
  readonly heartbeatMs: number
  /** events in memory for resuming clients */
  readonly retained: number
  /** how long the subscription continues after the last client disconnects */
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
  slowReaderTimeoutMs: 10_000,
  heartbeatMs: 30_000,
  retained: 2000,
  lingerMs: 60_000,
}
