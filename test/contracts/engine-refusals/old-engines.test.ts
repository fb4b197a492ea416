import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bullmqJobQueue, bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { openElasticSchema } from '../../../engines/search-index/elasticsearch/elastic-schema.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { openCassandraSchema } from '../../../engines/tree-store/cassandra/cassandra-schema.ts'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { examineElasticsearch } from '../../../platform/doctor/elasticsearch.ts'
import { realCassandra, realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import { StubServer, sendJson } from '../../support/engines/stub-server.ts'

/** Opens a proxy to a server that reports an older version. @param age - rewrites responses without changing their length */
async function openAged(url: string, age: (response: string) => string): Promise<AsyncDisposable & { readonly url: string }> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined)
  }
  const server = createServer((client) => {
    const upstream = track(connect(Number(target.port), target.hostname))
    track(client).pipe(upstream)
    upstream.on('data', (bytes) => client.write(age(bytes.toString('latin1')), 'latin1'))
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const old = new URL(url)
  old.port = String((server.address() as AddressInfo).port)
  return {
    url: old.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const redis = realRedis()
if (redis === undefined) skippedWithout('REDIS_URL', 'a Redis that is too old')
else
  describe('a Redis of an unsupported version', () => {
    const sentence = /^Redis 6\.\S+ is too old: version 7 or newer is required$/
    it('is refused with one message when a part that uses it starts', async () => {
      await using old = await openAged(redis, (response) => response.replace(/redis_version:\d/, 'redis_version:6'))
      const connection = { kind: 'redis', url: old.url, prefix: 'test-old' } as const
      const parts = [
        redisKeyValue({ url: old.url, prefix: 'test-old', log }),
        bullmqJobQueue({ name: 'jobs', connection, log }),
        bullmqJobWorker({ name: 'jobs', connection, log, concurrency: 1, handler: async () => undefined }),
      ]
      for (const part of parts) {
        await expect(part.start(AbortSignal.timeout(60_000))).rejects.toThrow(sentence)
        await part.stop()
      }
    })
  })

const postgres = realPostgres()
if (postgres === undefined) skippedWithout('DATABASE_URL', 'a PostgreSQL that is too old')
else
  it('a PostgreSQL of an unsupported version is refused with one message when a role starts', async () => {
    await using old = await openAged(postgres, (response) => response.replace(/\b1\d\.(\d+)(?= \(|\0|$)/g, '14.$1'))
    const database = openDatabase({ name: 'test', url: () => old.url, poolSize: 1, log })
    const sentence = /^PostgreSQL 14\.\S+.* is too old: version 15 or newer is required$/
    await expect(database.start(AbortSignal.timeout(60_000))).rejects.toThrow(sentence)
    await database.stop()
  })

const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'a Cassandra that is too old')
else
  it('a Cassandra of an unsupported version is refused with one message when a role starts, and when its schema changes', async () => {
    await using old = await openAged(`http://${cassandra.contactPoints[0]}`, (response) => response.replace(/\b5\.(\d+\.\d+)\b/g, '4.$1'))
    const options = { ...cassandra, contactPoints: [new URL(old.url).host], keyspace: 'old', schemaFolder: 'schema/cql', log }
    for (const part of [cassandraTreeStore(options), openCassandraSchema(options, log)]) {
      await expect(part.start(AbortSignal.timeout(60_000))).rejects.toThrow(/^Cassandra 4\.\S+ is too old: version 5 or newer is required$/)
      await part.stop()
    }
  })

describe('an Elasticsearch of an unsupported version', () => {
  const sentence = 'Elasticsearch 8.19.2 is too old: version 9 or newer is required'
  /** Version 8 refuses the media type of a client of version 9. */
  const openOld = () =>
    StubServer.open(({ headers: { accept = '' } }, response) => {
      response.setHeader('x-elastic-product', 'Elasticsearch')
      if (!accept.includes('compatible-with=9')) return sendJson(response, { version: { number: '8.19.2' } })
      const reason = 'Accept version must be either version 8 or 7, but found 9'
      sendJson(response, { error: { type: 'media_type_header_exception', reason }, status: 400 }, 400)
    })

  it('is refused with one message when a role starts, and when its schema changes', async () => {
    await using old = await openOld()
    const index = elasticSearchIndex({ url: old.url, prefix: 'p', generation: '1', log })
    await expect(index.start(AbortSignal.timeout(60_000))).rejects.toThrow(sentence)
    await index.stop()
    const schema = openElasticSchema({ url: old.url, prefix: 'p', generation: '1' })
    await expect(schema.start(AbortSignal.timeout(60_000))).rejects.toThrow(sentence)
    await schema.stop()
  })

  it('is reported by doctor, which sends it no other request', async () => {
    await using old = await openOld()
    const { engine, findings } = await examineElasticsearch({ url: old.url, prefix: 'p' }, 10_000)
    expect([engine, findings]).toEqual(['Elasticsearch 8.19.2', [expect.objectContaining({ about: 'version', verdict: 'wrong' })]])
  })
})
