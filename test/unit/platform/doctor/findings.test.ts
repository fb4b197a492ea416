import { describe, expect, it } from 'vitest'
import type { LiveProcess } from '../../../../engines/relational/processes/live-processes.ts'
import { cassandraFindings } from '../../../../platform/doctor/cassandra.ts'
import { elasticsearchFindings } from '../../../../platform/doctor/elasticsearch.ts'
import type { Finding } from '../../../../platform/doctor/examination.ts'
import { type PostgresReadings, postgresFindings } from '../../../../platform/doctor/postgres.ts'
import { poolerFindings, replicaFindings } from '../../../../platform/doctor/postgres-servers.ts'
import { redisFindings } from '../../../../platform/doctor/redis.ts'
import { expressionsFinding } from '../../../../platform/doctor/search-index.ts'
import { type TablesReadings, tablesFindings } from '../../../../platform/doctor/tables.ts'

const verdicts = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ about, verdict }) => [about, verdict]))

const safe: PostgresReadings = {
  server_version: '18.1',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: 'ANY 1 (a, b)',
  transaction_read_only: 'off',
  aheadMs: 12,
}

describe('findings about PostgreSQL', () => {
  it('are fine when every acknowledged write is on two disks', () => {
    expect(new Set(Object.values(verdicts(postgresFindings(safe))))).toEqual(new Set(['fine']))
  })

  it.each<[string, Partial<PostgresReadings>, string, string]>([
    ['a version that is too old', { server_version: '14.9 (Debian)' }, 'version', 'wrong'],
    ['no fsync', { fsync: 'off' }, 'fsync', 'wrong'],
    ['pages that may be torn', { full_page_writes: 'off' }, 'full_page_writes', 'wrong'],
    ['commits that do not wait for the disk', { synchronous_commit: 'off' }, 'synchronous_commit', 'wrong'],
    ['commits that do not wait for the standby', { synchronous_commit: 'local' }, 'synchronous_commit', 'wrong'],
    ['a standby', { transaction_read_only: 'on' }, 'role', 'wrong'],
    ['one disk', { synchronous_standby_names: '' }, 'synchronous_standby_names', 'doubtful'],
    ['a clock that is a minute behind', { aheadMs: -60_000 }, 'clock', 'wrong'],
  ])('name %s, with the next step', (_, readings, about, verdict) => {
    const match = postgresFindings({ ...safe, ...readings }).find((finding) => finding.about === about)
    expect(match).toMatchObject({ verdict, next: expect.stringMatching(/./) })
  })

  it('accept local commits without a synchronous standby', () => {
    expect(verdicts(postgresFindings({ ...safe, synchronous_commit: 'local', synchronous_standby_names: '' })).synchronous_commit).toBe(
      'fine',
    )
  })
})

describe('findings about poolers and replicas', () => {
  it('include a missing statement limit, a replica that is a primary, and replication lag', () => {
    expect(verdicts(poolerFindings({ statement: '15s', idle: '0' }))).toEqual({
      statement_timeout: 'fine',
      idle_in_transaction_session_timeout: 'doubtful',
    })
    expect(verdicts(replicaFindings({ isStandby: true, behindSeconds: 0.2 }))).toEqual({ role: 'fine', replay: 'fine' })
    expect(verdicts(replicaFindings({ isStandby: false, behindSeconds: 60 }))).toEqual({ role: 'doubtful', replay: 'wrong' })
  })
})

describe('findings about Redis', () => {
  const durable = { version: '7.4.1', appendonly: 'yes', appendfsync: 'always', 'maxmemory-policy': 'noeviction' }

  it('are fine when no key is evicted and every write is synced', () => {
    expect(verdicts(redisFindings(durable))).toEqual({ version: 'fine', 'maxmemory-policy': 'fine', appendonly: 'fine' })
  })

  it('are wrong when jobs may be evicted, and doubtful when messages may be lost', () => {
    expect(verdicts(redisFindings({ ...durable, 'maxmemory-policy': 'allkeys-lru' }))['maxmemory-policy']).toBe('wrong')
    expect(verdicts(redisFindings({ ...durable, appendonly: 'no' })).appendonly).toBe('doubtful')
    expect(verdicts(redisFindings({ ...durable, appendfsync: 'everysec' })).appendfsync).toBe('doubtful')
  })

  it('are doubtful when the server reports no settings', () => {
    const silent = { version: '7.4.1', appendonly: undefined, appendfsync: undefined, 'maxmemory-policy': undefined }
    expect(verdicts(redisFindings(silent))).toEqual({ version: 'fine', 'maxmemory-policy': 'doubtful', appendonly: 'doubtful' })
  })
})

describe('findings about Cassandra', () => {
  const keyspace = { durableWrites: true, knowsDataCenters: true, replicas: new Map([['dakar', 3]]) }
  const nodes = new Map([['dakar', 3]])
  const healthy = { version: '5.0.4', commitlogSync: 'group', nodes, keyspace, near: 'dakar', consistency: 'local_quorum' } as const
  const replication = (readings: object) => cassandraFindings({ ...healthy, ...readings }).find(({ about }) => about === 'replication')

  it('are fine with a synced commit log and three replicas', () => {
    expect(new Set(Object.values(verdicts(cassandraFindings(healthy))))).toEqual(new Set(['fine']))
  })

  it('are wrong with a commit log that is synced later or not at all', () => {
    expect(verdicts(cassandraFindings({ ...healthy, commitlogSync: 'periodic' })).commitlog_sync).toBe('wrong')
    const unlogged = { ...healthy, keyspace: { ...keyspace, durableWrites: false, replicas: new Map([['dakar', 1]]) } }
    expect(verdicts(cassandraFindings(unlogged))).toMatchObject({ durable_writes: 'wrong', replication: 'doubtful' })
  })

  it('are silent about a keyspace that does not exist yet', () => {
    expect(verdicts(cassandraFindings({ ...healthy, keyspace: undefined }))).toEqual({ version: 'fine', commitlog_sync: 'fine' })
  })

  it('list the replicas of each data centre, and the consistency that suits them', () => {
    const two = new Map([...nodes, ['thies', 3]])
    const replicas = new Map([...keyspace.replicas, ['thies', 2]])
    expect(replication({ nodes: two, keyspace: { ...keyspace, replicas } })).toMatchObject({
      verdict: 'fine',
      observation: '3 replicas on 3 nodes; thies: 2',
    })
    const finding = (consistency: 'local_quorum' | 'quorum') =>
      cassandraFindings({ ...healthy, nodes: two, consistency }).find(({ about }) => about === 'data centres')
    expect(finding('local_quorum')).toMatchObject({
      verdict: 'doubtful',
      next: expect.stringContaining('CASSANDRA_LOCAL_DATACENTER=dakar'),
    })
    expect(finding('quorum')?.next).toContain('the loss of one stops all writes')
  })

  it.each([
    ['no replica is near', { replicas: new Map([['thies', 3]]) }],
    ['a local quorum takes more nodes than there are', { replicas: new Map([['dakar', 6]]) }],
    ['the keyspace knows no data centres', { knowsDataCenters: false, replicas: new Map([['', 3]]) }],
  ])('are wrong when %s', (_, changed) => {
    expect(replication({ nodes: new Map([...nodes, ['thies', 3]]), keyspace: { ...keyspace, ...changed } })?.verdict).toBe('wrong')
  })

  it('ask for a quorum of all data centres if none has a local replica', () => {
    expect(replication({ keyspace: { ...keyspace, replicas: new Map([['thies', 3]]) }, consistency: 'quorum' })?.verdict).toBe('doubtful')
  })
})

describe('findings about Elasticsearch', () => {
  it('name the indices that may lose writes, and a red cluster', () => {
    const indices = [
      { name: 'a', translog: 'request' },
      { name: 'b', translog: 'async' },
    ]
    const findings = elasticsearchFindings({ version: '9.1.0', status: 'red', nodes: 3, freeShare: 0.1, indices })
    expect(verdicts(findings)).toEqual({
      version: 'fine',
      status: 'wrong',
      nodes: 'fine',
      disk: 'doubtful',
      'index.translog.durability': 'doubtful',
    })
    expect(findings.find(({ about }) => about === 'index.translog.durability')?.observation).toContain('async of b')
  })

  it.each([1, 2])('are doubtful with %i nodes, because search stops after the loss of one', (nodes) => {
    expect(verdicts(elasticsearchFindings({ version: '9.1.0', status: 'green', nodes, freeShare: undefined, indices: [] }))).toMatchObject({
      nodes: 'doubtful',
    })
  })
})

const processOf = (changes: Partial<LiveProcess>): LiveProcess => ({
  id: 'p',
  roles: ['gateway'],
  host: 'node-1',
  release: '2.0.0',
  commit: '0123456789',
  schemaLevel: 7,
  poolSize: 10,
  searchIndex: null,
  keys: {},
  ...changes,
})

describe('findings about the tables', () => {
  const good: TablesReadings = {
    pending: [],
    newer: [],
    mayCreate: true,
    forbidden: [],
    unopened: [],
    sealed: 12,
    recordedKeys: [
      { name: 'EXPRESSION_KEY', keyId: 'e' },
      { name: 'VAULT_KEY', keyId: 'a' },
    ],
    processes: [processOf({})],
    maxConnections: 97,
    drift: 0,
    deadLetters: 0,
  }
  const expression = { name: 'EXPRESSION_KEY', currentId: 'e', previousIds: [] } as const
  const vault = { name: 'VAULT_KEY', currentId: 'b', previousIds: ['a'] } as const
  const options = { migrate: true, keys: [expression, vault] }

  it('are fine when the tables are of this release, writable and decryptable', () => {
    expect(new Set(Object.values(verdicts(tablesFindings(good, options))))).toEqual(new Set(['fine']))
    expect(verdicts(tablesFindings({ ...good, mayCreate: false, drift: null }, { ...options, migrate: false })).privileges).toBe('fine')
  })

  it.each<[string, Partial<TablesReadings>, object, string, string]>([
    ['a migration that the next start makes', { pending: ['0030-x.sql'] }, {}, 'schema', 'doubtful'],
    ['a migration that is not applied at start', { pending: ['0030-x.sql'] }, { migrate: false }, 'schema', 'wrong'],
    ['a newer release', { newer: ['0040-y.sql'] }, {}, 'schema', 'doubtful'],
    ['tables of another owner', { forbidden: ['a', 'b', 'c', 'd', 'e'] }, {}, 'privileges', 'wrong'],
    ['no right to make tables', { mayCreate: false }, {}, 'privileges', 'doubtful'],
    ['a missing key', { unopened: [{ keyId: 'b', records: 3 }] }, {}, 'keys', 'wrong'],
    ['another key of expressions', {}, { keys: [{ ...expression, currentId: 'f' }, vault] }, 'EXPRESSION_KEY', 'wrong'],
    ['another key of the vault', {}, { keys: [expression, { ...vault, previousIds: [] }] }, 'VAULT_KEY', 'wrong'],
    ['no key of expressions', {}, { keys: [vault] }, 'EXPRESSION_KEY', 'doubtful'],
    ['no key at all', {}, { keys: [] }, 'keys', 'doubtful'],
    ['processes of two builds', { processes: [processOf({}), processOf({ schemaLevel: 8 })] }, {}, 'processes', 'doubtful'],
    ['more pools than the server has connections', { maxConnections: 11 }, {}, 'connections', 'wrong'],
    ['a search index with missing expressions', { drift: 4 }, {}, 'search index', 'doubtful'],
    ['dead letters', { deadLetters: 2 }, {}, 'dead letters', 'doubtful'],
  ])('name %s, with the next step', (_, readings, changes, about, verdict) => {
    const match = tablesFindings({ ...good, ...readings }, { ...options, ...changes }).find((finding) => finding.about === about)
    expect(match).toMatchObject({ verdict, next: expect.stringMatching(/./) })
  })
})

describe('the finding about searched expressions', () => {
  it('is wrong when the index that searches read lacks expressions, whatever the last comparison was', () => {
    expect(expressionsFinding(0, 381)).toMatchObject({ verdict: 'wrong', observation: expect.stringContaining('searches miss 381') })
    expect(expressionsFinding(1000, 1050)).toMatchObject({ verdict: 'fine' })
  })
})
