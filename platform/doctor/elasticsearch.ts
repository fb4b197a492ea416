import { type ElasticAddress, elasticClient } from '../../engines/search-index/elasticsearch/elastic-client.ts'
import { oldestElasticsearch, versionOfElasticsearch } from '../../engines/search-index/elasticsearch/elastic-refusal.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

const wantedNodes = 3

/** What the cluster says of itself and of the platform's indices. */
export interface ElasticsearchReadings {
  readonly version: string
  readonly status: string
  /** of the whole cluster */
  readonly nodes: number
  /** of the disk of the fullest node, 0 to 1; undefined where we may not ask */
  readonly freeShare: number | undefined
  readonly indices: readonly { readonly name: string; readonly translog: string }[]
}

/**
 * Asks the Elasticsearch behind a URL about the indices that begin with a prefix.
 * @throws {Error} when it cannot be reached, refuses the password or does not answer in time
 */
export async function examineElasticsearch(
  { prefix, ...address }: ElasticAddress & { readonly prefix: string },
  limitMs: number,
): Promise<Examination> {
  const client = elasticClient(address, limitMs)
  try {
    const { answer: version, tookMs } = await timed(() => versionOfElasticsearch(client))
    const own = versionFinding(version, oldestElasticsearch, 'Elasticsearch')
    // an older one refuses everything else
    if (own.verdict === 'wrong') return { engine: `Elasticsearch ${version}`, answeredInMs: tookMs, findings: [own] }
    const { status, number_of_nodes: nodes } = await client.cluster.health({ timeout: `${limitMs}ms` })
    const freeShare = await leastFree(client)
    const found = await client.indices.getSettings({ index: `${prefix}-*`, flat_settings: true, include_defaults: true })
    const indices = Object.entries(found).map(([name, { settings, defaults }]) => {
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
 * The index is made from the database and loses nothing for good; what it forgets is searched in vain until it was put there again.
 * @see Elasticsearch guide, "Translog settings"
 */
export function elasticsearchFindings({ version, status, nodes, freeShare, indices }: ElasticsearchReadings): readonly Finding[] {
  const careless = indices.filter(({ translog }) => translog !== 'request')
  return [
    versionFinding(version, oldestElasticsearch, 'Elasticsearch'),
    status === 'red'
      ? wrong('status', 'red: some of what it holds is not there', 'GET _cluster/allocation/explain tells why.')
      : fine('status', status),
    nodes < wantedNodes
      ? doubtful(
          'nodes',
          `${nodes}: ${nodes === 1 ? 'there is no search while it is away' : 'two elect no master when one of them is lost'}`,
          `Where a lost machine must not end the search: ${wantedNodes} nodes that may be the master and hold data.`,
        )
      : fine('nodes', `${nodes}`),
    ...(freeShare === undefined ? [] : [disk(freeShare)]),
    careless.length === 0
      ? fine('index.translog.durability', indices.length === 0 ? 'no index yet' : 'request')
      : doubtful(
          'index.translog.durability',
          `${careless.map(({ name, translog }) => `${translog} of ${name}`).join(', ')}: a crash forgets the last seconds until the index is compared again`,
          'PUT <index>/_settings {"index.translog.durability": "request"}',
        ),
  ]
}

/** Shards are no longer put on a disk that has less, and below the second one its indices take no writes (Elasticsearch guide, "Disk-based shard allocation settings"). */
const watermarks = { low: 0.15, flood: 0.05 }

function disk(freeShare: number): Finding {
  const found = `${Math.round(100 * freeShare)} % free where it is fullest`
  const next = 'Make room, or add a node.'
  if (freeShare < watermarks.flood) return wrong('disk', found, next)
  return freeShare < watermarks.low ? doubtful('disk', found, next) : fine('disk', found)
}

async function leastFree(client: ReturnType<typeof elasticClient>): Promise<number | undefined> {
  const stats = await client.nodes.stats({ metric: 'fs' }).catch(() => undefined)
  const shares = Object.values(stats?.nodes ?? {}).flatMap(({ fs }) => {
    const { total_in_bytes: total, available_in_bytes: free } = fs?.total ?? {}
    return total === undefined || free === undefined || total === 0 ? [] : [free / total]
  })
  return shares.length === 0 ? undefined : Math.min(...shares)
}
