/** One who takes the events of a shared subscription. */
export interface Subscriber {
  /**
   * Takes an event: a GraphQL result as JSON, serialised once for all.
   * @param cursor - the one in its extensions
   * @returns a promise when it would like to have no more for now. It is waited for while this is the only subscriber: nobody is held up
   * by another's slowness
   */
  deliver(event: string, cursor?: string): Promise<void> | undefined
  /** The subscription is over; nothing comes after it. @param last - a result of errors alone that says why, as JSON */
  end(last?: string): void
  /** Nothing comes any more because the gateway stops: the subscription is to go on elsewhere. Absent: it is ended. */
  interrupt?(): void
}
