/** The unread data of one client. */
export interface ClientBacklog {
  /** Measures the client's unread data; must be called after each write. */
  note(): void
  /** Removes the client. */
  end(): void
}

interface Waiting {
  /** returns the number of bytes written but unread */
  readonly bytes: () => number
  readonly cut: () => void
  /** bytes at the last measurement */
  noted: number
}

/** Limit of unread data of all clients of a gateway, in bytes. */
const mostBytes = 128 * 1024 * 1024

/**
 * Limits the unread data of all clients of a gateway. Each client may use its own limit, but not thousands at once: the slowest are cut until the
 * total is within the limit.
 */
export class Backlog {
  readonly #most: number
  readonly #clients = new Set<Waiting>()
  #bytes = 0

  constructor(most = mostBytes) {
    this.#most = most
  }

  /**
   * Registers a connection. @param bytes - returns its unread bytes
   * @param cut - ends it; called at most once
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
    // there is no event when a client has read
    for (const client of this.#clients) this.#look(client)
    if (this.#bytes <= this.#most) return
    for (const client of [...this.#clients].sort((one, other) => other.noted - one.noted)) {
      this.#forget(client)
      client.cut()
      if (this.#bytes <= this.#most) return
    }
  }
}
