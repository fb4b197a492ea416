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

/** Properties of a node and of the platform's keyspace; undefined if the node does not report them. */
export interface CassandraReadings {
  readonly version: string
  readonly commitlogSync: string | undefined
  /** nodes of the whole cluster, by data centre */
  readonly nodes: ReadonlyMap<string, number>
  readonly keyspace: CassandraKeyspace | undefined
  /** configured local data centre */
  readonly near: string
  readonly consistency: CassandraConsistency
}

interface CassandraKeyspace {
  readonly durableWrites: boolean
  /** whether it uses NetworkTopologyStrategy; other strategies ignore data centres */
  readonly knowsDataCenters: boolean
  /** replicas by data centre; under '' for the whole cluster if the keyspace has no data centres */
  readonly replicas: ReadonlyMap<string, number>
}

const desiredReplicas = 3

/** Examines a Cassandra cluster. @throws {Error} if no node is reachable or responds in time */
export async function examineCassandra(options: CassandraAddress & { readonly keyspace: string }, limitMs: number): Promise<Examination> {
  const { localDataCenter: near, keyspace, consistency = 'local_quorum' } = options
  const client = cassandraClient(options, silentLog)
  const inTime = <Answer>(pending: Promise<Answer>): Promise<Answer> =>
    withTimeout(pending, limitMs, undefined, () => new Error(`no node responded within ${limitMs} ms`))
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
    const row = await first('select durable_writes, replication from system_schema.keyspaces where keyspace_name = ?', [keyspace])
    const findings = cassandraFindings({
      version,
      commitlogSync: sync === undefined ? undefined : String(sync.get('value')),
      nodes: new Map([...new Set(places)].map((place) => [place, places.filter((each) => each === place).length])),
      keyspace: row && { durableWrites: row.get('durable_writes') === true, ...replicationOf(row.get('replication')) },
      near,
      consistency,
    })
    return { engine: `Cassandra ${version}`, answeredInMs: tookMs, findings }
  } finally {
    await shutDown(client)
  }
}

/** @param replication - column of system_schema.keyspaces: a class, and a number per data centre or for all */
function replicationOf(replication: unknown): Pick<CassandraKeyspace, 'knowsDataCenters' | 'replicas'> {
  const { class: strategy, ...numbers } = Object(replication) as Readonly<Record<string, string>>
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
    ...(keyspace === undefined ? [] : keyspaceFindings(keyspace, readings)),
  ]
}

/** With several data centres, the right setting depends on where the platform runs. */
function dataCenters({ nodes, near, consistency }: CassandraReadings): readonly Finding[] {
  if (nodes.size < 2) return []
  const present = [...nodes].map(([name, count]) => `${name} (${counted(count, 'node')})`).join(', ')
  const next = {
    local_quorum: `Correct if all processes of subgraph:content have CASSANDRA_LOCAL_DATACENTER=${near}; if some run in another data centre, set CASSANDRA_CONSISTENCY=quorum for all.`,
    quorum:
      'Correct if processes of subgraph:content run in several data centres; with two, the loss of one stops all writes, with three it does not.',
  }
  return [doubtful('data centres', `${present}; local: ${near}, consistency: ${consistency}`, next[consistency])]
}

function commitlog(sync: string | undefined): Finding {
  const next = 'commitlog_sync: group (or batch) in cassandra.yaml of every node, then restart the nodes one after another.'
  if (sync === undefined) return doubtful('commitlog_sync', 'not reported by the node', next)
  if (sync === 'batch' || sync === 'group') return fine('commitlog_sync', sync)
  return wrong('commitlog_sync', `${sync}: writes are acknowledged up to ten seconds before they are on disk; a crash loses them`, next)
}

function keyspaceFindings(
  { durableWrites, replicas, knowsDataCenters }: CassandraKeyspace,
  readings: CassandraReadings,
): readonly Finding[] {
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
  const next = `To survive the loss of a machine without losing rows or stopping writes: ${desiredReplicas} nodes, ALTER KEYSPACE with ${desiredReplicas} replicas, then nodetool repair on every node.`
  if (!knowsDataCenters && nodes.size > 1)
    return wrong(
      'replication',
      'the keyspace ignores data centres (no NetworkTopologyStrategy), so the placement of replicas is arbitrary',
      `ALTER KEYSPACE … WITH replication = {'class': 'NetworkTopologyStrategy', '${near}': ${desiredReplicas}, …}, then nodetool repair on every node.`,
    )
  const here = replicas.get(near) ?? replicas.get('') ?? 0
  const nodesHere = nodes.get(near) ?? 0
  const quorum = Math.floor(here / 2) + 1
  if (consistency === 'local_quorum' && quorum > Math.min(here, nodesHere))
    return wrong(
      'replication',
      `${counted(here, 'replica')} in ${near}, which has ${counted(nodesHere, 'node')}: a local quorum of ${quorum} is never reached`,
      `ALTER KEYSPACE … with one replica per node in ${near} (ideally ${desiredReplicas} on ${desiredReplicas} nodes), then nodetool repair on every node.`,
    )
  const others = [...replicas].filter(([place]) => place !== near && place !== '').map(([place, count]) => `; ${place}: ${count}`)
  return here < desiredReplicas
    ? doubtful('replication', `${here} of ${counted(nodesHere, 'node')} ha${here === 1 ? 's' : 've'} each row${others.join('')}`, next)
    : fine('replication', `${here} replicas on ${counted(nodesHere, 'node')}${others.join('')}`)
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
