import type { Client } from '@elastic/elasticsearch'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'

/** how long a search waits for writes of this process; Elasticsearch refreshes every second in any case */
const patienceMs = 1000

/**
 * Makes writes of this process visible to searches. A refresh costs Elasticsearch more than a write, so there is one at a time, callers that arrive
 * meanwhile share the next, and none happens without a write.
 */
export class ElasticVisibility {
  readonly #client: Client
  readonly #index: string
  /** number of writes completed and number visible */
  #made = 0
  #shown = 0
  #running: Promise<void> | undefined

  constructor(client: Client, index: string) {
    this.#client = client
    this.#index = index
  }

  /** Must be called after each write. */
  wrote(): void {
    this.#made++
  }

  /** Resolves when earlier writes are visible; rejects if the refresh fails. */
  async show(): Promise<void> {
    const upTo = this.#made
    while (this.#shown < upTo) {
      this.#running ??= this.#refresh()
      await this.#running
    }
  }

  /** As `show`, but returns after a limit even if writes are not visible yet. Never rejects. */
  async showSoon(): Promise<void> {
    await withTimeout(this.show(), patienceMs, undefined, () => undefined).catch(() => undefined)
  }

  async #refresh(): Promise<void> {
    const upTo = this.#made
    try {
      await this.#client.indices.refresh({ index: this.#index })
      this.#shown = upTo
    } finally {
      this.#running = undefined
    }
  }
}
