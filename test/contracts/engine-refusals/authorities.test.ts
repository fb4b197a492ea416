import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bullmqJobQueue } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { type SQL, sql } from '../../../engines/relational/drizzle.ts'
import { changeOwner, preparePostgresHome } from '../../../engines/relational/postgres-home.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { elasticsearchHealth } from '../../../engines/search-index/elasticsearch/search-engine-health.ts'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { type Authorities, authoritiesIn } from '../../../foundation/engine-start/authorities.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { examineRedis } from '../../../platform/doctor/redis.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { removeDataDir, temporaryCluster, temporaryDataDir } from '../../support/engines/databases.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { clearRedis, realCassandra, realElasticsearch, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { newPrefix } from '../../support/engines/queue-engines.ts'
import { wholeSchema } from '../../support/engines/schema.ts'
import { authorityFile, openTlsGate, type ServerIdentity, serverIdentity } from '../../support/engines/tls-authority.ts'
import { indexed } from '../search-index/search-index.contract.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const identity = serverIdentity('an engine')
const stranger = serverIdentity('a stranger')
/** the identity of an engine after a change of its authority at run time */
const renewed = serverIdentity('an engine of another authority')
/** Writes the authority of `identity` to a file; returns the authorities in it and a function that replaces them. */
async function authorityFileIn(folder: string) {
  const file = await authorityFile(folder, identity)
  return { ca: authoritiesIn(file), change: () => authorityFile(folder, renewed) }
}
const isAboutCertificates = /certificate|unable to verify/i

describe('a PostgreSQL with TLS', () => {
  const open = new AsyncDisposableStack()
  let url: string
  let folder: string
  let ca: string
  let strange: string
  beforeAll(async () => {
    folder = open.adopt(await temporaryDataDir(), removeDataDir)
    const { owner } = await preparePostgresHome(folder, log)
    const files = { ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') }
    await prove(identity)
    await changeOwner(files.ssl_key_file, owner)
    ca = await authorityFile(folder, identity)
    strange = join(folder, 'strange.pem')
    await writeFile(strange, stranger.ca)
    ;({ url } = open.use(await temporaryCluster({ ssl: 'on', ...files, fsync: 'off' })))
  })
  afterAll(() => open.disposeAsync())
  const prove = async ({ cert, key }: ServerIdentity): Promise<void> => {
    await writeFile(join(folder, 'server.crt'), cert)
    await writeFile(join(folder, 'server.key'), key, { mode: 0o600 })
  }
  const through = (query: string) => openDatabase({ name: 'test', url: () => `${url}?${query}`, poolSize: 2, log })

  it('is trusted with the file of its authority, by tables and by the queue', async () => {
    const trusting = `sslmode=verify-full&sslrootcert=${ca}`
    const database = through(trusting)
    await database.start(signal())
    await wholeSchema(database).start(signal())
    const { rows } = await database.orm.execute(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)
    expect(rows).toEqual([{ ssl: true }])
    await database.stop()
    const queue = bullmqJobQueue({ name: 'jobs', connection: { kind: 'postgres', url: () => `${url}?${trusting}` }, log })
    await queue.start(signal())
    await queue.add([{ id: 'one', priority: 1 }], signal())
    await queue.stop()
  })

  it('is not trusted without that file, with another authority, or with a missing file', async () => {
    for (const [query, sentence] of [
      ['sslmode=verify-full', isAboutCertificates],
      [`sslmode=verify-full&sslrootcert=${strange}`, isAboutCertificates],
      ['sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /ENOENT.*\/nowhere\/ca.pem/],
    ] as const) {
      const database = through(query)
      await expect(database.start(signal())).rejects.toThrow(sentence)
      await database.stop()
    }
  })

  it('is trusted with the current content of the file on each connection, without a restart', async () => {
    const database = through(`sslmode=verify-full&sslrootcert=${ca}`)
    await database.start(signal())
    const run = (query: SQL) =>
      database.orm.execute(query).then(
        () => 'answered',
        (error: unknown) => inspect(error),
      )
    try {
      await prove(renewed)
      await run(sql`select pg_reload_conf()`)
      const cut = () => run(sql`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'`)
      await expect.poll(cut).toMatch(isAboutCertificates)
      await authorityFile(folder, renewed)
      await expect.poll(() => run(sql`select`)).toBe('answered')
    } finally {
      await database.stop()
    }
  })
})

const redis = realRedis()
if (redis === undefined) skippedWithout('REDIS_URL', 'a Redis with TLS')
else {
  it('a Redis whose certificate expires at run time is unavailable until it has a new one, and then used again without a restart', async () => {
    await using gate = await openTlsGate(redis, identity)
    const url = Object.assign(new URL(redis.replace(/^redis:/, 'rediss:')), { host: gate.host }).href
    const prefix = newPrefix()
    const store = redisKeyValue({ url, ca: () => identity.ca, prefix, log })
    const written = () =>
      store.set('key', 'value', 60_000).then(
        () => 'written',
        (error: Error) => error.name,
      )
    try {
      await store.start(signal())
      expect(await written()).toBe('written')
      gate.prove(serverIdentity('an engine', '2021-01-01'))
      // existing connections stay open
      expect(await written()).toBe('written')
      gate.cut()
      await expect.poll(() => store.absence).toMatch(/certificate has expired/)
      expect(await written()).toBe('EngineUnavailable')
      gate.prove(identity)
      await expect.poll(written).toBe('written')
    } finally {
      await store.stop()
      await clearRedis(prefix)
    }
  })

  it('a Redis is trusted with the current content of its authority file on each connection, without a restart', async () => {
    await using gate = await openTlsGate(redis, identity)
    await using open = new AsyncDisposableStack()
    const { ca, change } = await authorityFileIn(open.adopt(await temporaryDataDir(), removeDataDir))
    const url = Object.assign(new URL(redis.replace(/^redis:/, 'rediss:')), { host: gate.host }).href
    const prefix = newPrefix()
    open.defer(() => clearRedis(prefix))
    const store = redisKeyValue({ url, ca, prefix, log })
    open.defer(() => store.stop())
    await store.start(signal())
    await store.set('key', 'value', 60_000)
    gate.prove(renewed)
    gate.cut()
    await expect.poll(() => store.absence).toMatch(isAboutCertificates)
    await change()
    await expect.poll(() => store.get('key').catch(String)).toBe('value')
  })

  it('a Redis with TLS is trusted with the file of its authority, and not without it', async () => {
    await using gate = await openTlsGate(redis, identity)
    const url = Object.assign(new URL(redis.replace(/^redis:/, 'rediss:')), { host: gate.host }).href
    const prefix = newPrefix()
    const works = async (ca: Authorities | undefined): Promise<readonly boolean[]> => {
      const store = redisKeyValue({ url, ca, prefix, log })
      const queue = bullmqJobQueue({ name: 'jobs', connection: { kind: 'redis', url, ca, prefix }, log })
      const isDone = (work: Promise<unknown>) =>
        work.then(
          () => true,
          () => false,
        )
      try {
        for (const part of [store, queue]) await part.start(signal())
        return await Promise.all([
          isDone(store.set('key', 'value', 60_000)),
          isDone(queue.add([{ id: 'one', priority: 1 }], signal())),
          isDone(examineRedis({ url, ca }, 2000)),
        ])
      } finally {
        for (const part of [store, queue]) await part.stop()
      }
    }
    expect(await works(() => identity.ca)).toEqual([true, true, true])
    for (const ca of [undefined, () => stranger.ca]) expect(await works(ca)).toEqual([false, false, false])
    await expect(examineRedis({ url }, 2000)).rejects.toThrow(isAboutCertificates)
    await clearRedis(prefix)
  })
}

const elasticsearch = realElasticsearch()
if (elasticsearch === undefined) skippedWithout('ELASTICSEARCH_URL', 'an Elasticsearch with TLS')
else
  it('an Elasticsearch with TLS is trusted with the current content of its authority file, and not without it', async () => {
    await using gate = await openTlsGate(elasticsearch, identity)
    await using fresh = freshPrefix(elasticsearch)
    await using open = new AsyncDisposableStack()
    const { ca, change } = await authorityFileIn(open.adopt(await temporaryDataDir(), removeDataDir))
    const address = { url: `https://${gate.host}`, ca }
    const index = elasticSearchIndex({ ...address, prefix: fresh.prefix, generation: '1', log })
    await index.start(signal())
    // retried while it refuses, as callers do
    const put = async () => {
      await index.put([indexed({ id: 'kept' })])
      return [...(await index.find(['kept'])).keys()]
    }
    await expect.poll(() => put().catch(() => 'refused')).toEqual(['kept'])
    gate.prove(renewed)
    gate.cut()
    await expect.poll(() => put().catch(() => 'refused')).toBe('refused')
    await change()
    await expect.poll(() => put().catch(() => 'refused')).toEqual(['kept'])
    await index.stop()
    expect(await elasticsearchHealth(address, signal())).toBeUndefined()
    for (const other of [undefined, () => stranger.ca])
      await expect(elasticsearchHealth({ ...address, ca: other }, signal())).rejects.toThrow('no node of ELASTICSEARCH_URL responds')
  })

const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'a Cassandra with TLS')
else
  it('a Cassandra with TLS is trusted with the current content of its authority file, and not without it', async () => {
    await using gate = await openTlsGate(`http://${cassandra.contactPoints[0]}`, identity)
    await using fresh = await freshKeyspace(cassandra)
    const options = { ...cassandra, ...fresh, contactPoints: [gate.host], schemaFolder: 'schema/cql', tls: true, log }
    await using open = new AsyncDisposableStack()
    const { ca, change } = await authorityFileIn(open.adopt(await temporaryDataDir(), removeDataDir))
    const store = cassandraTreeStore({ ...options, ca })
    await store.start(signal())
    const versions = () => store.versions(signal()).catch(() => 'refused')
    expect(await versions()).toEqual([])
    gate.prove(renewed)
    gate.cut()
    await expect.poll(versions).toBe('refused')
    await change()
    await expect.poll(versions).toEqual([])
    await store.stop()
    const distrusted = await Promise.all(
      [undefined, () => stranger.ca].map(async (strange) => {
        const other = cassandraTreeStore({ ...options, ca: strange })
        await other.start(signal())
        const { absence } = other
        await other.stop()
        return absence
      }),
    )
    expect(distrusted).toEqual([expect.stringMatching(isAboutCertificates), expect.stringMatching(isAboutCertificates)])
  })
