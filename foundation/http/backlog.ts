/** The unread data of one client. */
export interface ClientBacklog {
  /** Measures the client's unread data; must be called after each write. */
  note(): void
  /** Removes the client. */
  end(): void
}

interface SlowClient {
  /** listener of its connection */
  readonly listener: number | undefined
  /** returns the number of bytes written but unread */
  readonly bytes: () => number
  readonly cut: () => void
  /** bytes at the last measurement */
  measuredBytes: number
}

/** Limit of unread data of all clients of a gateway, in bytes. */
const defaultMaxBytes = 128 * 1024 * 1024

/**
 * Returns the clients to cut until the unread data of the others is within a limit: each time one of the listener with the most, so that those of one
 * listener cannot take the share of another. @param clients - of each listener, the first is cut first
 */
export function surplus<Client extends { readonly listener: number | undefined }>(
  clients: readonly Client[],
  bytesOf: (client: Client) => number,
  maxBytes: number,
): readonly Client[] {
  const listeners = [...Map.groupBy(clients, ({ listener }) => listener).values()].map((queue) => ({
    queue: queue.values(),
    bytes: queue.reduce((sum, client) => sum + bytesOf(client), 0),
  }))
  let total = listeners.reduce((sum, { bytes }) => sum + bytes, 0)
  const cut: Client[] = []
  while (total > maxBytes) {
    const fullest = listeners.reduce((current, each) => (each.bytes > current.bytes ? each : current))
    const { value: client } = fullest.queue.next()
    if (client === undefined) break
    const bytes = bytesOf(client)
    fullest.bytes -= bytes
    total -= bytes
    cut.push(client)
  }
  return cut
}

/**
 * Limits the unread data of all clients of a gateway. Each client may use its own limit, but not thousands at once: the slowest are cut until the
 * total is within the limit, those of the listener with the most unread data first.
 */
export class Backlog {
  readonly #maxBytes: number
  readonly #clients = new Set<SlowClient>()
  #bytes = 0

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes
  }

  /**
   * Registers a connection. @param bytes - returns its unread bytes
   * @param cut - ends it; called at most once
   * @param listener - its port
   */
  client(bytes: () => number, cut: () => void, listener?: number): ClientBacklog {
    const client: SlowClient = { listener, bytes, cut, measuredBytes: 0 }
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

  #measure(client: SlowClient): void {
    const bytes = client.bytes()
    this.#bytes += bytes - client.measuredBytes
    client.measuredBytes = bytes
  }

  #remove(client: SlowClient): void {
    if (this.#clients.delete(client)) this.#bytes -= client.measuredBytes
  }

  #makeRoom(): void {
    // there is no event when a client has read
    for (const client of this.#clients) this.#measure(client)
    const largestFirst = [...this.#clients].sort((one, other) => other.measuredBytes - one.measuredBytes)
    for (const client of surplus(largestFirst, ({ measuredBytes }) => measuredBytes, this.#maxBytes)) {
      this.#remove(client)
      client.cut()
    }
  }
}
