import type { estypes } from '@elastic/elasticsearch'
import { z } from 'zod'
import { EngineRefusal } from '../../../foundation/engine-start/engine-opening.ts'
import { applyCommand } from '../../../foundation/engine-start/schema-at-start.ts'
import { EngineUnavailable, messageOf } from '../../../foundation/fault.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { inStableOrder, type SearchIndex } from '../search-index.ts'
import type { ElasticAddress } from './elastic-client.ts'
import { ElasticConnection, requestLimitMs } from './elastic-connection.ts'
import { elasticCounts } from './elastic-counts.ts'
import { conditionsOf, hitsOf, vectorOf, wordsQuery } from './elastic-documents.ts'
import { elasticExpressions, maxHits } from './elastic-expressions.ts'
import { expressionIndex, indexOf } from './elastic-mapping.ts'
import { refuseOldElasticsearch } from './elastic-refusal.ts'
import { type ElasticSchemaOptions, elasticSchema, expressionsAlias, phrasesAlias } from './elastic-schema.ts'

/** queries have their own time limit */
const never = new AbortController().signal
/** candidates per shard; more are more accurate and slower */
const minCandidates = 100

const Domains = z.object({
  domain: z.object({
    buckets: z.array(z.object({ key: z.string(), revision: z.object({ buckets: z.array(z.object({ key: z.string() })) }) })),
  }),
})
const Document = z.object({ document: z.string() })

/** The phrases of the taxonomy. @param phrases - alias of their index */
function phrasesIn(connection: ElasticConnection, phrases: string): Pick<SearchIndex, 'taxonomy' | 'putPhrases'> {
  const { client } = connection
  return {
    async taxonomy() {
      const { aggregations } = await connection.question(() =>
        client.search({
          index: phrases,
          size: 0,
          aggs: { domain: { terms: { field: 'domain', size: maxHits }, aggs: { revision: { terms: { field: 'revision', size: 1 } } } } },
        }),
      )
      return new Map(Domains.parse(aggregations).domain.buckets.map(({ key, revision }) => [key, revision.buckets[0]?.key ?? '']))
    },
    putPhrases: (domains, added) =>
      connection.work(async () => {
        const query = { terms: { domain: [...domains] } }
        const { hits } = await client.search({ index: phrases, size: maxHits, query, _source: false })
        const addedIds = new Set(added.map(({ id }) => id))
        const operations = [
          ...hits.hits.flatMap(({ _id = '' }) => (addedIds.has(_id) ? [] : [{ delete: { _id } }])),
          ...added.flatMap(({ id, domain, fingerprint, text, embedding }) => [
            { index: { _id: id } },
            { domain, revision: fingerprint, text, vector: vectorOf(embedding) },
          ]),
        ]
        if (operations.length === 0) return
        const { errors: failed } = await client.bulk({ index: phrases, require_alias: true, refresh: true, operations })
        if (failed) throw new Error('some phrases were not stored')
      }),
  }
}

/** Creates an empty index that takes the alias when it is published. */
function rebuildIndex(
  connection: ElasticConnection,
  alias: string,
  options: ElasticSchemaOptions & { readonly log: Log },
): ReturnType<SearchIndex['rebuild']> {
  const { client } = connection
  const { log } = options
  return connection.work(async () => {
    const all = await client.indices.get({ index: `${alias}.*`, features: 'aliases' })
    const abandoned = Object.keys(all).filter((index) => Object.keys(all[index]?.aliases ?? {}).length === 0)
    if (abandoned.length > 0) await client.indices.delete({ index: abandoned, ignore_unavailable: true })
    const index = `${alias}.${Date.now().toString(36)}`
    await client.indices.create({ ...indexOf(expressionIndex, options), index })
    return {
      ...elasticExpressions(connection, index, false),
      async publish() {
        const before = await connection.work(async () => {
          await client.indices.refresh({ index })
          const old = Object.keys(await client.indices.getAlias({ name: alias }))
          await client.indices.updateAliases({
            actions: [{ add: { index, alias } }, ...old.map((each) => ({ remove: { index: each, alias } }))],
          })
          return old
        })
        // queries in progress still use the previous index
        await pause(requestLimitMs)
        if (before.length === 0) return
        await connection
          .work(() => client.indices.delete({ index: before, ignore_unavailable: true }))
          .catch((error: unknown) => log.info({ err: error }, 'could not delete a replaced search index; the next rebuild will'))
      },
      discard: () =>
        connection.work(async () => {
          if (await client.indices.existsAlias({ index, name: alias })) return
          await client.indices.delete({ index, ignore_unavailable: true })
        }),
    }
  })
}

/**
 * The search index on Elasticsearch 9. Expressions are in an index behind an alias whose name contains the generation, so that replicas with
 * incomparable vectors do not share one, and so that a new index replaces the old one atomically.
 */
export function elasticSearchIndex(
  options: ElasticAddress &
    ElasticSchemaOptions & {
      /** whether missing indices are created; default: true */
      readonly migrate?: boolean
      readonly log: Log
    },
): SearchIndex & Part {
  const { prefix, generation, migrate = true, log } = options
  const alias = expressionsAlias(prefix, generation)
  const phrases = phrasesAlias(prefix, generation)
  const ensure = async (): Promise<void> => {
    if (migrate) return schema.apply({ signal: never, onProgress: (step) => log.info({ step }, 'search index created') })
    const { pending } = await schema.status(never)
    if (pending.length > 0)
      throw new EngineUnavailable('search index', new Error(`${pending.map(({ name }) => name).join(', ')} missing: run "${applyCommand}"`))
  }
  const connection = new ElasticConnection(options, ensure)
  const { client } = connection
  const schema = elasticSchema(client, options)
  const search = (request: estypes.SearchRequest) =>
    connection.question(async () => {
      await showSoon()
      return client.search({ index: alias, _source: false, allow_partial_search_results: false, ...request })
    })
  let absence: string | undefined
  const { showSoon, ...expressions } = elasticExpressions(connection, alias, true)
  return {
    name: 'search index',
    engine: 'elasticsearch',
    get absence() {
      return absence
    },
    ...expressions,
    async find(ids) {
      if (ids.length === 0) return new Map()
      const { docs } = await connection.question(async () => {
        const answer = await client.mget({ index: alias, ids: [...ids], _source: ['document'] })
        // a missing index is reported per document: repeats as a request that fails as a whole
        if (answer.docs.some((doc) => 'error' in doc)) await client.count({ index: alias })
        return answer
      })
      return new Map(docs.flatMap((doc) => ('found' in doc && doc.found ? [[doc._id, Document.parse(doc._source).document] as const] : [])))
    },
    async near(vector, { filter, limit }) {
      const query_vector = vectorOf(vector)
      if (query_vector === undefined) return []
      const knn = { field: 'vector', query_vector: [...query_vector], filter: conditionsOf(filter) }
      return inStableOrder(limit, async (size) => {
        const num_candidates = Math.min(maxHits, Math.max(minCandidates, size))
        return hitsOf(await search({ knn: { ...knn, k: size, num_candidates }, size }), (score) => 2 * score - 1)
      })
    },
    async match(text, { filter, limit }) {
      const words = wordsQuery(text)
      if (words === undefined) return []
      const query = { bool: { must: [words], filter: conditionsOf(filter) } }
      return inStableOrder(limit, async (size) => hitsOf(await search({ query, size }), (score) => score))
    },
    ...elasticCounts(search),
    ...phrasesIn(connection, phrases),
    identity: () =>
      connection.question(async () => {
        const response = await client.indices.get({ index: alias, features: 'settings' })
        return Object.entries(response)
          .map(([index, { settings }]) => `${index} ${settings?.index?.uuid}`)
          .join(' ')
      }),
    rebuild: () => rebuildIndex(connection, alias, options),
    prune: () =>
      connection.work(async () => {
        const all = await client.indices.get({ index: [`${prefix}-expressions-*`, `${prefix}-phrases-*`], features: 'aliases' })
        const others = Object.keys(all).filter((index) => !index.startsWith(`${alias}.`) && !index.startsWith(`${phrases}.`))
        if (others.length > 0) await client.indices.delete({ index: others, ignore_unavailable: true })
        return others
      }),
    tidy: async () => undefined,
    health: (signal) => connection.question(async () => void (await client.count({ index: [alias, phrases] })), signal),
    async start(signal) {
      const open = async (): Promise<void> => {
        await refuseOldElasticsearch(client, signal)
        await ensure()
      }
      await connection.question(open, signal).catch((error: unknown) => {
        if (error instanceof EngineRefusal) throw error
        absence = `The search index cannot be used: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`
        log.warn({ err: error }, 'search index unavailable; expressions wait to be indexed')
      })
    },
    stop: () => client.close(),
  }
}
