import type cassandra from 'cassandra-driver'
import {
  type CassandraAddress,
  cassandraClient,
  oldestVersion,
  reach,
  shutDown,
} from '../../subgraphs/engines/tree-store/cassandra/cassandra-client.ts'
import { withTimeout } from '../../subgraphs/foundation/concurrency/timeout.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

/** What a node says of itself and of the platform's keyspace; undefined what it does not tell. */
export interface CassandraReadings {
  readonly version: string
  readonly commitlogSync: string | undefined
  /** of the whole cluster */
  readonly nodes: number
  readonly keyspace: { readonly durableWrites: boolean; readonly replicas: number } | undefined
}

const wantedReplicas = 3

/**
 * Asks the Cassandra behind contact points.
 * @throws {Error} when no node can be reached or answers in time
 */
export async function examineCassandra(options: CassandraAddress & { readonly keyspace: string }, limitMs: number): Promise<Examination> {
  const { localDataCenter, keyspace } = options
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
    const { rowLength: peers } = await all('select peer from system.peers')
    const kept = await first('select durable_writes, replication from system_schema.keyspaces where keyspace_name = ?', [keyspace])
    const findings = cassandraFindings({
      version,
      commitlogSync: sync === undefined ? undefined : String(sync.get('value')),
      nodes: peers + 1,
      keyspace: kept && {
        durableWrites: kept.get('durable_writes') === true,
        replicas: replicasOf(kept.get('replication'), localDataCenter),
      },
    })
    return { engine: `Cassandra ${version}`, answeredInMs: tookMs, findings }
  } finally {
    await shutDown(client)
  }
}

/** @param replication - of system_schema.keyspaces: a class, and a number by data centre or for all */
function replicasOf(replication: unknown, dataCenter: string): number {
  const numbers = new Map(Object.entries(Object(replication)))
  return Number(numbers.get(dataCenter) ?? numbers.get('replication_factor') ?? 0)
}

/** @see cassandra.yaml, `commitlog_sync`; Cassandra documentation, "Data replication" */
export function cassandraFindings({ version, commitlogSync, nodes, keyspace }: CassandraReadings): readonly Finding[] {
  return [
    versionFinding(version, oldestVersion, 'Cassandra'),
    commitlog(commitlogSync),
    ...(keyspace === undefined ? [] : kept(keyspace, nodes)),
  ]
}

function commitlog(sync: string | undefined): Finding {
  const next = 'commitlog_sync: group (or batch) in cassandra.yaml of every node, and start them anew, one after another.'
  if (sync === undefined) return doubtful('commitlog_sync', 'the node does not tell', next)
  if (sync === 'batch' || sync === 'group') return fine('commitlog_sync', sync)
  return wrong('commitlog_sync', `${sync}: writes are acknowledged up to ten seconds before they are on disk, and lost by a crash`, next)
}

function kept({ durableWrites, replicas }: NonNullable<CassandraReadings['keyspace']>, nodes: number): readonly Finding[] {
  const few = replicas < wantedReplicas
  const next = `Where a lost machine must neither lose rows nor end all writing: ${wantedReplicas} nodes, ALTER KEYSPACE with ${wantedReplicas} replicas, then nodetool repair on every node.`
  return [
    durableWrites
      ? fine('durable_writes', 'true')
      : wrong('durable_writes', 'false: the keyspace has no commit log', 'ALTER KEYSPACE … WITH durable_writes = true;'),
    few
      ? doubtful('replication', `${replicas} of ${nodes} node${nodes === 1 ? '' : 's'} ha${replicas === 1 ? 's' : 've'} each row`, next)
      : fine('replication', `${replicas} replicas on ${nodes} nodes`),
  ]
}
