/** Notifies all processes of new items. A lost notification is made up for by the next poll. */
export interface Announcer {
  /** @param position - latest position, 0 if unknown */
  announce(topic: string, position: number): void
  /** @returns a function that unsubscribes */
  onAnnounced(topic: string, listener: () => void): () => void
}
