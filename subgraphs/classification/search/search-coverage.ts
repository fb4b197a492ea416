import { Gauge, type Registry } from 'prom-client'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { Stalled } from '../../../foundation/health/stalled.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

const everyMs = 30_000
/** differences of writes in progress, and their share of a large store */
const tolerated = { expressions: 100, share: 0.01 }

/** Measures what searches of this process can find, by the index that it reads. */
export interface SearchCoverage extends Part {
  /** @throws {Stalled} while searches miss more expressions than writes in progress explain */
  refuseIncomplete(): void
}

export function searchCoverage(options: {
  readonly index: Pick<SearchIndex, 'count'>
  readonly store: { countExpressions(): Promise<number> }
  readonly registry: Registry
  readonly log: Pick<Log, 'debug'>
}): SearchCoverage {
  const { index, store, registry, log } = options
  let missing = 0
  let total = 0
  new Gauge({
    name: 'civigraph_search_index_missing_expressions',
    help: 'Expressions of the analytics database that searches of this process cannot find, because the index that it reads lacks them',
    registers: [registry],
    collect() {
      this.set(missing)
    },
  })
  const measuring = periodic(
    'search coverage',
    everyMs,
    async () => {
      const indexed = await index.count()
      total = await store.countExpressions()
      missing = Math.max(0, total - indexed)
    },
    (error) => log.debug({ err: error }, 'the coverage of the search index could not be measured'),
  )
  return {
    ...measuring,
    refuseIncomplete() {
      if (missing > Math.max(tolerated.expressions, tolerated.share * total))
        throw new Stalled(
          `Searches miss ${missing} of ${total} expressions: worker:classification adds them if it runs and uses the same index (DATA_DIR, or ELASTICSEARCH_URL)`,
        )
    },
  }
}
