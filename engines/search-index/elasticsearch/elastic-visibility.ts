import type { Client } from '@elastic/elasticsearch'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'

/** how long a search waits for what this process has written; Elasticsearch itself refreshes every second, and then it is seen anyhow */
const patienceMs = 1000

/**
 * When searches see what this process has written to an index. A refresh costs Elasticsearch more than the write, and one that others overtake
 * is for nothing: there is one at a time, whoever comes meanwhile shares the next, and there is none when nothing was written.
 */
export class ElasticVisibility {
  readonly #client: Client
  readonly #index: string
  /** writes: how many have ended, how many of them searches see */
  #made = 0
  #shown = 0
  #running: Promise<void> | undefined

  constructor(client: Client, index: string) {
    this.#client = client
    this.#index = index
  }

  /** To be called when a write has ended. */
  wrote(): void {
    this.#made++
  }

  /** Resolves when searches see what was written before. Fails as a refresh does. */
  async show(): Promise<void> {
    const upTo = this.#made
    while (this.#shown < upTo) {
      this.#running ??= this.#refresh()
      await this.#running
    }
  }

  /** The same for who would rather be answered from what is there than wait for long. Never fails. */
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
