import { type ElasticAddress, elasticClient } from '../../engines/search-index/elasticsearch/elastic-client.ts'
import { oldestElasticsearch, versionOfElasticsearch } from '../../engines/search-index/elasticsearch/elastic-refusal.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

const wantedNodes = 3

/** Properties of the cluster and of the platform's indices. */
export interface ElasticsearchReadings {
  readonly version: string
  readonly status: string
  /** number of nodes in the cluster */
  readonly nodes: number
  /** free share of the fullest disk, 0 to 1; undefined without the right to read it */
  readonly freeShare: number | undefined
  readonly indices: readonly { readonly name: string; readonly translog: string }[]
}

/**
 * Examines the indices with a prefix in an Elasticsearch cluster. @throws {Error} if it is unreachable, rejects the credentials or does not respond
 * in time
 */
export async function examineElasticsearch(
  { prefix, ...address }: ElasticAddress & { readonly prefix: string },
  limitMs: number,
): Promise<Examination> {
  const client = elasticClient(address, limitMs)
  try {
    const { answer: version, tookMs } = await timed(() => versionOfElasticsearch(client))
    const own = versionFinding(version, oldestElasticsearch, 'Elasticsearch')
    // an older version rejects further requests
    if (own.verdict === 'wrong') return { engine: `Elasticsearch ${version}`, answeredInMs: tookMs, findings: [own] }
    const { status, number_of_nodes: nodes } = await client.cluster.health({ timeout: `${limitMs}ms` })
    const freeShare = await smallestFreeShare(client)
    const response = await client.indices.getSettings({ index: `${prefix}-*`, flat_settings: true, include_defaults: true })
    const indices = Object.entries(response).map(([name, { settings, defaults }]) => {
      const all = new Map(Object.entries({ ...defaults, ...settings }))
      return {
        name,
        translog: String(all.get('index.translog.durability') ?? 'unknown').toLowerCase(),
      }
    })
    return {
      engine: `Elasticsearch ${version}`,
      answeredInMs: tookMs,
      findings: elasticsearchFindings({ version, status, nodes, freeShare, indices }),
    }
  } finally {
    await client.close()
  }
}

/**
 * The index is derived from the database and loses nothing permanently; lost entries are missing in searches until they are indexed again. @see
 * Elasticsearch guide, "Translog settings"
 */
export function elasticsearchFindings({ version, status, nodes, freeShare, indices }: ElasticsearchReadings): readonly Finding[] {
  const careless = indices.filter(({ translog }) => translog !== 'request')
  return [
    versionFinding(version, oldestElasticsearch, 'Elasticsearch'),
    status === 'red'
      ? wrong('status', 'red: some shards are unavailable', 'GET _cluster/allocation/explain shows the reason.')
      : fine('status', status),
    nodes < wantedNodes
      ? doubtful(
          'nodes',
          `${nodes}: ${nodes === 1 ? 'search is unavailable while it is down' : 'two cannot elect a master if one is lost'}`,
          `To survive the loss of a machine: ${wantedNodes} master-eligible data nodes.`,
        )
      : fine('nodes', `${nodes}`),
    ...(freeShare === undefined ? [] : [disk(freeShare)]),
    careless.length === 0
      ? fine('index.translog.durability', indices.length === 0 ? 'no index yet' : 'request')
      : doubtful(
          'index.translog.durability',
          `${careless.map(({ name, translog }) => `${translog} of ${name}`).join(', ')}: a crash loses the last seconds until the next comparison`,
          'PUT <index>/_settings {"index.translog.durability": "request"}',
        ),
  ]
}

/**
 * Below the first watermark no shards are allocated to a disk, below the second its indices become read-only (Elasticsearch guide, "Disk-based shard
 * allocation settings").
 */
const watermarks = { low: 0.15, flood: 0.05 }

function disk(freeShare: number): Finding {
  const observation = `${Math.round(100 * freeShare)} % free on the fullest disk`
  const next = 'Free disk space, or add a node.'
  if (freeShare < watermarks.flood) return wrong('disk', observation, next)
  return freeShare < watermarks.low ? doubtful('disk', observation, next) : fine('disk', observation)
}

async function smallestFreeShare(client: ReturnType<typeof elasticClient>): Promise<number | undefined> {
  const stats = await client.nodes.stats({ metric: 'fs' }).catch(() => undefined)
  const shares = Object.values(stats?.nodes ?? {}).flatMap(({ fs }) => {
    const { total_in_bytes: total, available_in_bytes: free } = fs?.total ?? {}
    return total === undefined || free === undefined || total === 0 ? [] : [free / total]
  })
  return shares.length === 0 ? undefined : Math.min(...shares)
}
