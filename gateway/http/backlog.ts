/** What one client is behind with. */
export interface ClientBacklog {
  /** Looks how much waits to be read by the client; to be called when more was said to it. */
  note(): void
  /** It is gone: nothing waits for it any more. */
  end(): void
}

interface Waiting {
  /** bytes that were said to the client and not yet taken by it */
  readonly bytes: () => number
  readonly cut: () => void
  /** bytes when it was last looked at */
  noted: number
}

/** What may wait for all clients of a gateway together, in bytes. */
const mostBytes = 128 * 1024 * 1024

/**
 * What waits to be read by the clients of a gateway. Each may be behind by as much as its protocol lets it; thousands of them may not be at
 * once, or memory would go to those who do not read: those furthest behind are cut until what waits for the others is no longer too much.
 */
export class Backlog {
  readonly #most: number
  readonly #clients = new Set<Waiting>()
  #bytes = 0

  constructor(most = mostBytes) {
    this.#most = most
  }

  /**
   * For one connection; to be ended with it.
   * @param bytes - how much waits for it now   @param cut - ends it; called at most once
   */
  client(bytes: () => number, cut: () => void): ClientBacklog {
    const client: Waiting = { bytes, cut, noted: 0 }
    this.#clients.add(client)
    return {
      note: () => {
        if (!this.#clients.has(client)) return
        this.#look(client)
        if (this.#bytes > this.#most) this.#makeRoom()
      },
      end: () => this.#forget(client),
    }
  }

  #look(client: Waiting): void {
    const bytes = client.bytes()
    this.#bytes += bytes - client.noted
    client.noted = bytes
  }

  #forget(client: Waiting): void {
    if (this.#clients.delete(client)) this.#bytes -= client.noted
  }

  #makeRoom(): void {
    // Nobody says when a client has read.
    for (const client of this.#clients) this.#look(client)
    if (this.#bytes <= this.#most) return
    for (const client of [...this.#clients].sort((one, other) => other.noted - one.noted)) {
      this.#forget(client)
      client.cut()
      if (this.#bytes <= this.#most) return
    }
  }
}
