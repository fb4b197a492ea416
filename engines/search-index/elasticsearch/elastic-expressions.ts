import type { estypes } from '@elastic/elasticsearch'
import { z } from 'zod'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { type ExpressionIndex, type IndexedExpression, lastOfEach } from '../search-index.ts'
import type { ElasticConnection } from './elastic-connection.ts'
import { rangeQuery } from './elastic-documents.ts'
import { ElasticVisibility } from './elastic-visibility.ts'
import { overwriteExpressions, putExpressions, removeExpressions, type WriteTarget } from './elastic-writes.ts'

const writeAtOnce = 500
/** maximum hits of one Elasticsearch response */
export const maxHits = 10_000

const Summed = z.object({ sum: z.object({ value: z.number() }) })
const Versioned = z.object({ version: z.tuple([z.number()]) })

export interface ElasticExpressions extends ExpressionIndex {
  /** Makes recent writes of this process visible to searches unless that takes long; part of a query. */
  showSoon(): Promise<void>
}

/**
 * The expressions behind an alias, or in an index without an alias yet. Writes with `isDelayAllowed` become visible with the next search of this
 * process or the next second; in an index without an alias, on the first query.
 */
export function elasticExpressions(connection: ElasticConnection, name: string, isAlias: boolean): ElasticExpressions {
  const { client } = connection
  const target: WriteTarget = { client, name, isAlias }
  const visibility = new ElasticVisibility(client, name)
  const write = async (work: () => Promise<void>): Promise<void> => {
    await connection.work(work)
    visibility.wrote()
  }
  const shown = (): Promise<void> => connection.work(() => visibility.show())
  const fresh = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    connection.work(async () => {
      await visibility.show()
      return ask()
    })
  const group = new GroupCommit<IndexedExpression>({
    maxWeight: writeAtOnce,
    write: (expressions) => write(() => putExpressions(target, lastOfEach(expressions))),
  })
  return {
    put: async (expressions, { evenOlder = false, isDelayAllowed = !isAlias } = {}) => {
      for (let start = 0; start < expressions.length; start += writeAtOnce) {
        const some = expressions.slice(start, start + writeAtOnce)
        await (evenOlder ? write(() => overwriteExpressions(target, lastOfEach(some))) : group.add(some))
      }
      if (!isDelayAllowed && expressions.length > 0) await shown()
    },
    async remove(ids) {
      if (ids.length === 0) return
      await write(() => removeExpressions(target, ids))
      await shown()
    },
    summarise: (range) =>
      fresh(async () => {
        const { hits, aggregations } = await client.search({
          index: name,
          size: 0,
          track_total_hits: true,
          query: rangeQuery(range),
          aggs: { sum: { sum: { field: 'fingerprint' } } },
        })
        const total = hits.total
        return { count: typeof total === 'number' ? total : (total?.value ?? 0), sum: Summed.parse(aggregations).sum.value }
      }),
    async versions(range, limit) {
      const versions = new Map<string, number>()
      for (let after: estypes.SortResults | undefined; versions.size < limit; ) {
        const size = Math.min(maxHits, limit - versions.size)
        const { hits } = await fresh(() =>
          client.search({
            index: name,
            size,
            query: rangeQuery(range),
            sort: [{ id: 'asc' }],
            fields: ['version'],
            _source: false,
            ...(after === undefined ? {} : { search_after: after }),
          }),
        )
        for (const { _id, fields } of hits.hits) versions.set(_id ?? '', Versioned.parse(fields).version[0])
        after = hits.hits.at(-1)?.sort
        if (hits.hits.length < size || after === undefined) break
      }
      return versions
    },
    count: async () => (await fresh(() => client.count({ index: name }))).count,
    showSoon: () => visibility.showSoon(),
  }
}
