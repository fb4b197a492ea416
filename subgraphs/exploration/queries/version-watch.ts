import type { GraphQLResolveInfo } from 'graphql'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { dayIn } from '../../../foundation/calendar-day.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import { readState, statisticsTopics } from '../roll-ups/roll-up-state.ts'
import { type RollUpVersion, versionOf } from './roll-up-reader.ts'

const retryMs = 1000

/** Tracks the version of the roll-ups, so that a client that has the current version needs no query. */
export class VersionWatch implements Part {
  readonly name = 'version of the roll-ups'
  readonly #engines: { readonly database: Database; readonly feed: EventFeed; readonly clock: Clock }
  readonly #stopping = new AbortController()
  #running: Promise<unknown> | undefined
  #seen: (RollUpVersion & { readonly timezone: string }) | undefined

  constructor(engines: { readonly database: Database; readonly feed: EventFeed; readonly clock: Clock }) {
    this.#engines = engines
  }

  /** version of the roll-ups; undefined while unknown */
  get seen(): RollUpVersion | undefined {
    return this.#seen
  }

  /** undefined while unknown */
  get current(): string | undefined {
    return this.#seen && versionOf(this.#seen, dayIn(this.#seen.timezone, this.#engines.clock.now()))
  }

  async start(): Promise<void> {
    this.#running = Promise.all(statisticsTopics.map((topic) => this.#follow(topic)))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #follow(topic: string): Promise<void> {
    const { database, feed } = this.#engines
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const from = await feed.position(topic, signal)
        this.#seen = await readState(database.orm)
        for await (const _ of feed.follow(topic, from, signal)) {
          // a client that was notified may query before the new version is read here
          this.#seen = undefined
          this.#seen = await readState(database.orm)
        }
      } catch {
        // an unknown version is not a failure: answers are computed and then compared
        this.#seen = undefined
        await pause(retryMs, signal)
      }
    }
  }
}

export function selectsVersionOnly({ fieldNodes }: GraphQLResolveInfo): boolean {
  return fieldNodes.every(({ selectionSet }) =>
    selectionSet?.selections.every((each) => each.kind === 'Field' && ['version', '__typename'].includes(each.name.value)),
  )
}
