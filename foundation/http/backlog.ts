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
  measuredBytes: number
}

/** Limit of unread data of all clients of a gateway, in bytes. */
const defaultMaxBytes = 128 * 1024 * 1024

/**
 * Limits the unread data of all clients of a gateway. Each client may use its own limit, but not thousands at once: the slowest are cut until the
 * total is within the limit.
 */
export class Backlog {
  readonly #maxBytes: number
  readonly #clients = new Set<Waiting>()
  #bytes = 0

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes
  }

  /**
   * Registers a connection. @param bytes - returns its unread bytes
   * @param cut - ends it; called at most once
   */
  client(bytes: () => number, cut: () => void): ClientBacklog {
    const client: Waiting = { bytes, cut, measuredBytes: 0 }
    this.#clients.add(client)
    return {
      note: () => {
        if (!this.#clients.has(client)) return
        this.#measure(client)
        if (this.#bytes > this.#maxBytes) this.#makeRoom()
      },
      end: () => this.#remove(client),
    }
  }

  #measure(client: Waiting): void {
    const bytes = client.bytes()
    this.#bytes += bytes - client.measuredBytes
    client.measuredBytes = bytes
  }

  #remove(client: Waiting): void {
    if (this.#clients.delete(client)) this.#bytes -= client.measuredBytes
  }

  #makeRoom(): void {
    // there is no event when a client has read
    for (const client of this.#clients) this.#measure(client)
    if (this.#bytes <= this.#maxBytes) return
    for (const client of [...this.#clients].sort((one, other) => other.measuredBytes - one.measuredBytes)) {
      this.#remove(client)
      client.cut()
      if (this.#bytes <= this.#maxBytes) return
    }
  }
}
