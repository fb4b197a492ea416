import { randomBytes } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, it } from 'vitest'
import type { QueueConnection } from '../../../subgraphs/engines/job-queue/bullmq-connection.ts'
import { type Database, openDatabase } from '../../../subgraphs/engines/relational/database.ts'
import { embeddedPostgres } from '../../../subgraphs/engines/relational/embedded-postgres.ts'
import { migrations } from '../../../subgraphs/engines/relational/migrations.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'

/**
 * The engines that tests run on, and the only reader of DATABASE_URL, REDIS_URL, OIDC_ISSUER_URL and REQUIRE_ENGINES. The variables are taken out of
 * process.env here, so that nothing under test finds them by accident.
 *
 * A suite for every PostgreSQL:
 *   for (const engine of relationalEngines()) describe(engine.name, () => {
 *     let fresh: FreshDatabase
 *     beforeAll(async () => { fresh = await engine.open() })      // an empty database of its own; `engine.openMigrated()` has the schema
 *     afterAll(() => fresh[Symbol.asyncDispose]())
 */
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, OIDC_ISSUER_URL: issuerUrl, REQUIRE_ENGINES: required } = process.env
delete process.env.DATABASE_URL
delete process.env.REDIS_URL
delete process.env.OIDC_ISSUER_URL

const { CASSANDRA_CONTACT_POINTS: cassandraPoints, CASSANDRA_LOCAL_DATACENTER: cassandraDataCenter } = process.env
delete process.env.CASSANDRA_CONTACT_POINTS

const { ELASTICSEARCH_URL: elasticsearchUrl } = process.env
delete process.env.ELASTICSEARCH_URL

const startLimitMs = 60_000
const newName = (): string => randomBytes(6).toString('hex')

/** An empty database of one test file; disposing of it drops it. */
export interface FreshDatabase extends AsyncDisposable {
  readonly url: string
}

export interface RelationalEngine {
  readonly name: string
  open(): Promise<FreshDatabase>
}

/** The addresses of the real engines, or undefined: the suite is then skipped and says so. With REQUIRE_ENGINES=1 that is an error. */
export const realPostgres = (): string | undefined => present('DATABASE_URL', databaseUrl)
export const realRedis = (): string | undefined => present('REDIS_URL', redisUrl)
/** A Cassandra on which keyspaces may be made. */
export const realCassandra = (): { readonly contactPoints: readonly string[]; readonly localDataCenter: string } | undefined => {
  const contactPoints = present('CASSANDRA_CONTACT_POINTS', cassandraPoints)?.split(',')
  return contactPoints && { contactPoints, localDataCenter: cassandraDataCenter ?? 'datacenter1' }
}
export const realElasticsearch = (): string | undefined => present('ELASTICSEARCH_URL', elasticsearchUrl)
/** A Keycloak with a realm whose client `administration` takes passwords and whose people are those of `test/contracts/identity.keycloak.test.ts`. */
export const realIssuer = (): string | undefined => present('OIDC_ISSUER_URL', issuerUrl)

function present(variable: string, value: string | undefined): string | undefined {
  if (value === undefined && required === '1') throw new Error(`REQUIRE_ENGINES=1, but ${variable} is not set`)
  return value
}

/** A skipped test that names what is missing. */
export function skippedWithout(variable: string, suite: string): void {
  describe(suite, () => {
    it.skip(`needs ${variable}`, () => undefined)
  })
}

/** The embedded PostgreSQL and, where DATABASE_URL says one, the real one. */
export function relationalEngines(): readonly RelationalEngine[] {
  const url = realPostgres()
  if (url === undefined) skippedWithout('DATABASE_URL', 'on a real PostgreSQL')
  return [embeddedEngine, ...(url === undefined ? [] : [{ name: 'real PostgreSQL', open: () => createDatabase(url) }])]
}

/** One cluster for the whole run: each test file joins it as a process of the platform would, the last to leave stops it. */
export const embeddedEngine: RelationalEngine = {
  name: 'embedded PostgreSQL',
  async open() {
    const dataDir = join(tmpdir(), `civigraph-engines-${userInfo().username}`)
    const server = embeddedPostgres({ dataDir, log: silentLog })
    try {
      await server.start(AbortSignal.timeout(startLimitMs))
      const database = await createDatabase(server.url())
      return {
        url: database.url,
        async [Symbol.asyncDispose]() {
          await database[Symbol.asyncDispose]()
          await server.stop()
        },
      }
    } catch (error) {
      await server.stop()
      throw error
    }
  },
}

/** Both ways to run what lies on BullMQ: PostgreSQL alone, and PostgreSQL with Redis. The connection has a namespace of its own. */
export function queueEngines(): readonly {
  readonly name: string
  readonly relational: RelationalEngine
  connection(databaseUrl: string): QueueConnection
}[] {
  const onPostgres = relationalEngines().map((relational) => ({
    name: relational.name,
    relational,
    connection: (url: string): QueueConnection => ({ kind: 'postgres', url: () => url }),
  }))
  const redis = realRedis()
  if (redis === undefined) skippedWithout('REDIS_URL', 'on Redis')
  const connection = (): QueueConnection => ({ kind: 'redis', url: redis ?? '', prefix: `test-${newName()}` })
  return [...onPostgres, ...(redis === undefined ? [] : [{ name: 'Redis', relational: embeddedEngine, connection }])]
}

/** An open handle on a fresh database that holds the whole schema. */
export async function openMigrated(
  engine: RelationalEngine,
): Promise<AsyncDisposable & { readonly database: Database; readonly url: string }> {
  const fresh = await engine.open()
  const database = openDatabase({ name: 'test', url: () => fresh.url, poolSize: 10, log: silentLog })
  const dispose = async (): Promise<void> => {
    await database.stop()
    await fresh[Symbol.asyncDispose]()
  }
  try {
    const signal = AbortSignal.timeout(startLimitMs)
    await database.start(signal)
    await migrations(database, new URL('../../../schema/sql', import.meta.url).pathname, silentLog).start(signal)
  } catch (error) {
    await dispose()
    throw error
  }
  return { database, url: fresh.url, [Symbol.asyncDispose]: dispose }
}

async function createDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `test_${process.pid}_${newName()}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, [Symbol.asyncDispose]: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5000, query_timeout: startLimitMs })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Removes the keys of a prefix. */
export async function clearRedis(prefix: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl ?? '', { connectTimeout: 2000, commandTimeout: 5000, maxRetriesPerRequest: 1 })
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 })) if (keys.length > 0) await redis.del(keys)
  } finally {
    redis.disconnect()
  }
}
