/** A durable queue whose messages hold what is to be done themselves: once `send` has ended they survive everyone's death. */
export interface MessageQueue {
  /** which engine serves it, for health checks: postgresql or redis */
  readonly engine: string
  /** @throws {EngineUnavailable} within about 2 s; then the message may be in it all the same */
  send(kind: string, content: object, signal: AbortSignal): Promise<void>
  /** Messages that nobody has finished yet.   @throws {EngineUnavailable} */
  depth(signal: AbortSignal): Promise<number>
  /** How long the one that has waited longest waits; 0 when there is none.   @throws {EngineUnavailable} */
  oldestAgeMs(signal: AbortSignal): Promise<number>
}
