import type cassandra from 'cassandra-driver'
import {
  type CassandraAddress,
  type CassandraConsistency,
  cassandraClient,
  oldestVersion,
  reach,
  shutDown,
} from '../../engines/tree-store/cassandra/cassandra-client.ts'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { silentLog } from '../../foundation/log.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

/** What a node says of itself and of the platform's keyspace; undefined what it does not tell. */
export interface CassandraReadings {
  readonly version: string
  readonly commitlogSync: string | undefined
  /** of the whole cluster, by data centre */
  readonly nodes: ReadonlyMap<string, number>
  readonly keyspace: CassandraKeyspace | undefined
  /** the data centre that is said to be near */
  readonly near: string
  readonly consistency: CassandraConsistency
}

interface CassandraKeyspace {
  readonly durableWrites: boolean
  /** NetworkTopologyStrategy; any other does not know data centres */
  readonly knowsDataCenters: boolean
  /** by data centre; where the keyspace knows none, of the whole cluster under '' */
  readonly replicas: ReadonlyMap<string, number>
}

const wantedReplicas = 3

/**
 * Asks the Cassandra behind contact points.
 * @throws {Error} when no node can be reached or answers in time
 */
export async function examineCassandra(options: CassandraAddress & { readonly keyspace: string }, limitMs: number): Promise<Examination> {
  const { localDataCenter: near, keyspace, consistency = 'local_quorum' } = options
  const client = cassandraClient(options, silentLog)
  const inTime = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
    withTimeout(asked, limitMs, undefined, () => new Error('no node answers in time'))
  const all = (query: string, parameters: readonly string[] = []): Promise<cassandra.types.ResultSet> =>
    inTime(client.execute(query, [...parameters]))
  const first = async (query: string, parameters: readonly string[] = []) => (await all(query, parameters)).rows[0]
  try {
    const version = await inTime(reach(client))
    const { tookMs } = await timed(() => first('select release_version from system.local'))
    const sync = await first(`select value from system_views.settings where name = 'commitlog_sync'`).catch(() => undefined)
    const places = [
      ...(await all('select data_center from system.local')).rows,
      ...(await all('select data_center from system.peers')).rows,
    ].map((row) => String(row.get('data_center')))
    const kept = await first('select durable_writes, replication from system_schema.keyspaces where keyspace_name = ?', [keyspace])
    const findings = cassandraFindings({
      version,
      commitlogSync: sync === undefined ? undefined : String(sync.get('value')),
      nodes: new Map([...new Set(places)].map((place) => [place, places.filter((each) => each === place).length])),
      keyspace: kept && { durableWrites: kept.get('durable_writes') === true, ...replicationOf(kept.get('replication')) },
      near,
      consistency,
    })
    return { engine: `Cassandra ${version}`, answeredInMs: tookMs, findings }
  } finally {
    await shutDown(client)
  }
}

/** @param told - of system_schema.keyspaces: a class, and a number by data centre or for all */
function replicationOf(told: unknown): Pick<CassandraKeyspace, 'knowsDataCenters' | 'replicas'> {
  const { class: strategy, ...numbers } = Object(told) as Readonly<Record<string, string>>
  return {
    knowsDataCenters: strategy?.endsWith('NetworkTopologyStrategy') === true,
    replicas: new Map(Object.entries(numbers).map(([place, number]) => [place === 'replication_factor' ? '' : place, Number(number)])),
  }
}

/** @see cassandra.yaml, `commitlog_sync`; Cassandra documentation, "Data replication" */
export function cassandraFindings(readings: CassandraReadings): readonly Finding[] {
  const { version, commitlogSync, keyspace } = readings
  return [
    versionFinding(version, oldestVersion, 'Cassandra'),
    commitlog(commitlogSync),
    ...dataCenters(readings),
    ...(keyspace === undefined ? [] : kept(keyspace, readings)),
  ]
}

/** Where there are several, what is right depends on where the platform runs. */
function dataCenters({ nodes, near, consistency }: CassandraReadings): readonly Finding[] {
  if (nodes.size < 2) return []
  const told = [...nodes].map(([name, count]) => `${name} (${counted(count, 'node')})`).join(', ')
  const next = {
    local_quorum: `Right where all processes of subgraph:content have CASSANDRA_LOCAL_DATACENTER=${near}; where some run in another, CASSANDRA_CONSISTENCY=quorum for all.`,
    quorum:
      'Right where processes of subgraph:content run in several; of two data centres, losing one ends all writing, of three it does not.',
  }
  return [doubtful('data centres', `${told}; near is ${near}, asked for ${consistency}`, next[consistency])]
}

function commitlog(sync: string | undefined): Finding {
  const next = 'commitlog_sync: group (or batch) in cassandra.yaml of every node, and start them anew, one after another.'
  if (sync === undefined) return doubtful('commitlog_sync', 'the node does not tell', next)
  if (sync === 'batch' || sync === 'group') return fine('commitlog_sync', sync)
  return wrong('commitlog_sync', `${sync}: writes are acknowledged up to ten seconds before they are on disk, and lost by a crash`, next)
}

function kept({ durableWrites, replicas, knowsDataCenters }: CassandraKeyspace, readings: CassandraReadings): readonly Finding[] {
  return [
    durableWrites
      ? fine('durable_writes', 'true')
      : wrong('durable_writes', 'false: the keyspace has no commit log', 'ALTER KEYSPACE … WITH durable_writes = true;'),
    replication({ replicas, knowsDataCenters }, readings),
  ]
}

function replication(
  { replicas, knowsDataCenters }: Pick<CassandraKeyspace, 'replicas' | 'knowsDataCenters'>,
  { nodes, near, consistency }: CassandraReadings,
): Finding {
  const next = `Where a lost machine must neither lose rows nor end all writing: ${wantedReplicas} nodes, ALTER KEYSPACE with ${wantedReplicas} replicas, then nodetool repair on every node.`
  if (!knowsDataCenters && nodes.size > 1)
    return wrong(
      'replication',
      'the keyspace does not know data centres (no NetworkTopologyStrategy): where its replicas are is left to chance',
      `ALTER KEYSPACE … WITH replication = {'class': 'NetworkTopologyStrategy', '${near}': ${wantedReplicas}, …}, then nodetool repair on every node.`,
    )
  const here = replicas.get(near) ?? replicas.get('') ?? 0
  const nodesHere = nodes.get(near) ?? 0
  const quorum = Math.floor(here / 2) + 1
  if (consistency === 'local_quorum' && quorum > Math.min(here, nodesHere))
    return wrong(
      'replication',
      `${counted(here, 'replica')} in ${near}, which has ${counted(nodesHere, 'node')}: a local quorum of ${quorum} is never there`,
      `ALTER KEYSPACE … with as many replicas in ${near} as it has nodes (${wantedReplicas} of ${wantedReplicas} at best), then nodetool repair on every node.`,
    )
  const others = [...replicas].filter(([place]) => place !== near && place !== '').map(([place, count]) => `; ${place}: ${count}`)
  return here < wantedReplicas
    ? doubtful('replication', `${here} of ${counted(nodesHere, 'node')} ha${here === 1 ? 's' : 've'} each row${others.join('')}`, next)
    : fine('replication', `${here} replicas on ${counted(nodesHere, 'node')}${others.join('')}`)
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
