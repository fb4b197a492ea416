import { describe, inject, it } from 'vitest'
import { type Database, openDatabase } from '../../../engines/relational/database.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { MigratedServer } from '../run/databases.ts'
import { createDatabase, type FreshDatabase } from './databases.ts'
import type { EngineAddresses } from './platform-engines.ts'
import { clearKeys } from './redis/clear-keys.ts'

/**
 * The engines of the tests, and the only reader of their variables and of REQUIRE_ENGINES in test processes. The variables are
 * removed from process.env here, so that the code under test does not read them.
 *
 * A suite for every PostgreSQL:
 *   for (const engine of relationalEngines()) describe(engine.name, () => {
 *     let fresh: FreshDatabase
 *     beforeAll(async () => { fresh = await engine.open() })      // an empty database of its own; `openMigrated(engine)` has the schema
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

export interface RelationalEngine {
  readonly name: string
  /** Opens an empty database. */
  open(): Promise<FreshDatabase>
  /** Opens a database with the whole schema. */
  copy(): Promise<FreshDatabase>
}

/** The addresses of the real engines, or undefined: the suite is then skipped with a message. With REQUIRE_ENGINES=1 that is an error. */
export const realPostgres = (): string | undefined => present('DATABASE_URL', databaseUrl)
export const realRedis = (): string | undefined => present('REDIS_URL', redisUrl)
/** A Cassandra on which tests may create keyspaces. */
export const realCassandra = (): { readonly contactPoints: readonly string[]; readonly localDataCenter: string } | undefined => {
  const contactPoints = present('CASSANDRA_CONTACT_POINTS', cassandraPoints)?.split(',')
  return contactPoints && { contactPoints, localDataCenter: cassandraDataCenter ?? 'datacenter1' }
}
export const realElasticsearch = (): string | undefined => present('ELASTICSEARCH_URL', elasticsearchUrl)
/** A Keycloak for development with a realm whose client `administration` accepts passwords, whose client `backend` introspects and whose users are those of `test/contracts/identity/identity.keycloak.test.ts`. */
export const realIssuer = (): string | undefined => present('OIDC_ISSUER_URL', issuerUrl)

/** The engines of a platform; undefined without them. */
export function realEngines(): EngineAddresses | undefined {
  const [postgres, redis] = [realPostgres(), realRedis()]
  return postgres === undefined || redis === undefined ? undefined : { postgres, redis, elasticsearch: realElasticsearch() }
}

function present(variable: string, value: string | undefined): string | undefined {
  if (value === undefined && required === '1') throw new Error(`REQUIRE_ENGINES=1, but ${variable} is not set`)
  return value
}

/** Defines a skipped test that names what is missing. */
export function skippedWithout(variable: string, suite: string): void {
  describe(suite, () => {
    it.skip(`needs ${variable}`, () => undefined)
  })
}

/** The embedded PostgreSQL and, if DATABASE_URL is set, the real one. */
export function relationalEngines(): readonly RelationalEngine[] {
  if (realPostgres() !== undefined) return [embeddedEngine, realEngine]
  skippedWithout('DATABASE_URL', 'on a real PostgreSQL')
  return [embeddedEngine]
}

/** The cluster of the run, which its global setup starts: see `run/databases.ts`. */
export const embeddedEngine: RelationalEngine = {
  name: 'embedded PostgreSQL',
  open: () => createDatabase(serverOf('embeddedPostgres').url),
  copy: () => copyOf(serverOf('embeddedPostgres')),
}

const realEngine: RelationalEngine = {
  name: 'real PostgreSQL',
  open: () => createDatabase(realPostgres() ?? ''),
  copy: () => copyOf(serverOf('realPostgres')),
}

function serverOf(kind: 'embeddedPostgres' | 'realPostgres'): MigratedServer {
  const server = inject(kind)
  if (server === undefined)
    throw new Error('This project has no PostgreSQL: a test that needs one belongs to test/contracts or test/components')
  return server
}

const copyOf = ({ url, template }: MigratedServer): Promise<FreshDatabase> => createDatabase(url, template)

/** Opens a new database with the whole schema. */
export async function openMigrated(
  engine: RelationalEngine,
): Promise<AsyncDisposable & { readonly database: Database; readonly url: string }> {
  const fresh = await engine.copy()
  const database = openDatabase({ name: 'test', url: () => fresh.url, poolSize: 10, log: silentLog })
  const dispose = async (): Promise<void> => {
    await database.stop()
    await fresh[Symbol.asyncDispose]()
  }
  try {
    await database.start(AbortSignal.timeout(startLimitMs))
  } catch (error) {
    await dispose()
    throw error
  }
  return { database, url: fresh.url, [Symbol.asyncDispose]: dispose }
}

/** Removes the keys of a prefix. */
export const clearRedis = (prefix: string): Promise<void> => clearKeys(redisUrl ?? '', prefix)
