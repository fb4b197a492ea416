import { describe, expect, it } from 'vitest'
import { bullmqJobQueue, bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { openElasticSchema } from '../../../engines/search-index/elasticsearch/elastic-schema.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { openCassandraSchema } from '../../../engines/tree-store/cassandra/cassandra-schema.ts'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openAskingCassandra } from '../../support/engines/asking-cassandra.ts'
import { realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { StubServer, sendJson } from '../../support/engines/stub-server.ts'

const start = async (part: { start(signal: AbortSignal): Promise<void>; stop(): Promise<void> }): Promise<void> => {
  try {
    await part.start(AbortSignal.timeout(60_000))
  } finally {
    await part.stop()
  }
}

const redis = realRedis()
if (redis === undefined) skippedWithout('REDIS_URL', 'a Redis that refuses our password')
else {
  it('a Redis that refuses the password fails the start of every part that uses it, with a message that names the setting', async () => {
    const { href: url } = Object.assign(new URL(redis), { password: 'wrong' })
    const connection = { kind: 'redis', url, prefix: 'test-wrong' } as const
    const parts = [
      redisKeyValue({ url, prefix: 'test-wrong', log }),
      bullmqJobQueue({ name: 'jobs', connection, log }),
      bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler: async () => undefined }),
    ]
    for (const part of parts)
      await expect(start(part)).rejects.toThrow('Redis cannot be used: it rejects the user or the password of REDIS_URL (WRONGPASS)')
  })

  it('a Redis without the database of the URL fails the start of every part that uses it, and is not used as database 0', async () => {
    const { href: url } = Object.assign(new URL(redis), { pathname: '/99999' })
    const connection = { kind: 'redis', url, prefix: 'test-no-database' } as const
    for (const part of [
      redisKeyValue({ url, prefix: 'test-no-database', log }),
      bullmqJobQueue({ name: 'jobs', connection, log }),
      bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler: async () => undefined }),
    ])
      await expect(start(part)).rejects.toThrow('Redis cannot be used: it does not have the database that REDIS_URL names')
  })

  it('a Redis without cluster mode fails the start when REDIS_CLUSTER_NODES names it', async () => {
    const { hostname: host, port } = new URL(redis)
    const address = { url: redis, clusterNodes: [{ host, port: Number(port) }], prefix: 'test-no-cluster' }
    for (const part of [
      redisKeyValue({ ...address, log }),
      bullmqJobQueue({ name: 'jobs', connection: { kind: 'redis', ...address }, log }),
    ])
      await expect(start(part)).rejects.toThrow('Redis cannot be used: REDIS_CLUSTER_NODES names a Redis that is not a cluster')
  })
}

describe('an Elasticsearch that refuses the password', () => {
  it('fails the start of a role and a change of its schema, with a message that names the setting', async () => {
    await using server = await StubServer.open((_, response) => {
      response.setHeader('x-elastic-product', 'Elasticsearch')
      sendJson(response, { error: { type: 'security_exception', reason: 'unable to authenticate' }, status: 401 }, 401)
    })
    const sentence = 'Elasticsearch cannot be used: it rejects the credentials in ELASTICSEARCH_URL or ELASTICSEARCH_API_KEY (401)'
    await expect(start(elasticSearchIndex({ url: server.url, prefix: 'p', generation: '1', log }))).rejects.toThrow(sentence)
    await expect(start(openElasticSchema({ url: server.url, prefix: 'p', generation: '1' }))).rejects.toThrow(sentence)
  })
})

it('a Cassandra that refuses the credentials, or receives none, fails the start with a message that names the settings', async () => {
  await using server = await openAskingCassandra()
  const address = { contactPoints: [server.host], localDataCenter: 'datacenter1', keyspace: 'k', schemaFolder: 'schema/cql', log }
  const sentence = 'Cassandra cannot be used: it rejects CASSANDRA_USERNAME or CASSANDRA_PASSWORD'
  for (const credentials of [{}, { username: 'app', password: 'wrong' }, { username: 'app' }]) {
    await expect(start(cassandraTreeStore({ ...address, ...credentials }))).rejects.toThrow(sentence)
    await expect(start(openCassandraSchema({ ...address, ...credentials }, log))).rejects.toThrow(sentence)
  }
})

const postgres = realPostgres()
if (postgres === undefined) skippedWithout('DATABASE_URL', 'a PostgreSQL that refuses us')
else
  it.each([
    ['password', /password authentication failed.*: check DATABASE_URL$/],
    ['pathname', /database "wrong" does not exist: check DATABASE_URL$/],
  ] as const)('a PostgreSQL that refuses the %s fails the start with a message that names the setting', async (part, sentence) => {
    const { href } = Object.assign(new URL(postgres), { [part]: 'wrong' })
    await expect(start(openDatabase({ name: 'test', url: () => href, poolSize: 1, log }))).rejects.toThrow(sentence)
  })
