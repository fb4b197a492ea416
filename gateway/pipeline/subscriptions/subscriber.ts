/** A consumer of a shared subscription. */
export interface Subscriber {
  /**
   * Delivers an event: a GraphQL result as JSON, serialised once for all. @param cursor - its cursor
   * @returns a promise for backpressure; awaited only while this is the only subscriber, so that none delays others
   */
  deliver(event: string, cursor?: string): Promise<void> | undefined
  /** The subscription has ended. @param last - final result with errors, as JSON */
  end(last?: string): void
  /** The gateway stops, and the subscription will resume elsewhere. Absent: it is ended. */
  interrupt?(): void
}
