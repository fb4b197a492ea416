/** Tells all processes that there is more of something. What it loses is seen at the next look of whoever waits. */
export interface Announcer {
  /** @param position - up to where there is more, 0 where nobody counts */
  announce(topic: string, position: number): void
  /** @returns ends it */
  onAnnounced(topic: string, listener: () => void): () => void
}
