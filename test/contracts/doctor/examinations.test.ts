import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { examineCassandra } from '../../../platform/doctor/cassandra.ts'
import { examineElasticsearch } from '../../../platform/doctor/elasticsearch.ts'
import { examineFolder } from '../../../platform/doctor/folder.ts'
import { examineIssuer } from '../../../platform/doctor/issuer.ts'
import { examinePostgres } from '../../../platform/doctor/postgres.ts'
import { examineRedis } from '../../../platform/doctor/redis.ts'
import { examineTables } from '../../../platform/doctor/tables.ts'
import {
  realCassandra,
  realElasticsearch,
  realIssuer,
  realRedis,
  relationalEngines,
  skippedWithout,
} from '../../support/engines/engines.ts'
import { untilIssuesToClients } from '../../support/engines/keycloak.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'

const limitMs = 10_000

for (const engine of relationalEngines())
  describe(`the examination of ${engine.name}`, () => {
    it('reports version, durability and clock, and overrides of a database', async () => {
      await using fresh = await engine.open()
      const before = await examinePostgres(fresh.url, limitMs)
      expect(before.engine).toMatch(/^PostgreSQL \d\d/)
      expect(before.findings.find(({ about }) => about === 'clock')).toMatchObject({ verdict: 'fine' })

      const client = new pg.Client({ connectionString: fresh.url })
      await client.connect()
      await client.query(`alter database "${new URL(fresh.url).pathname.slice(1)}" set synchronous_commit = off`)
      await client.end()
      const { findings } = await examinePostgres(fresh.url, limitMs)
      expect(findings.find(({ about }) => about === 'synchronous_commit')).toMatchObject({
        verdict: 'wrong',
        observation: expect.stringMatching(/^off/),
      })
    })

    it('reports the release of the tables, the privileges, and missing keys', async () => {
      const held = (name: 'VAULT_KEY' | 'EXPRESSION_KEY') => ({ name, currentId: 'own', previousIds: [] })
      const schemaFolder = new URL('../../../schema/sql', import.meta.url).pathname
      const options = { schemaFolder, migrate: false, keys: [held('VAULT_KEY'), held('EXPRESSION_KEY')] }
      const verdictsOf = async (url: string) => {
        const { findings } = await examineTables(url, options, limitMs)
        return Object.fromEntries(findings.map(({ about, verdict, observation }) => [about, `${verdict}: ${observation}`]))
      }
      await using empty = await engine.open()
      expect(await verdictsOf(empty.url)).toEqual({ schema: expect.stringMatching(/^wrong: lacks 0001-engines.sql, .* more$/) })

      await using fresh = await engine.copy()
      const client = new pg.Client({ connectionString: fresh.url })
      await using open = new AsyncDisposableStack()
      open.defer(() => client.end())
      await client.connect()
      expect(await verdictsOf(fresh.url)).toEqual({
        schema: 'fine: up to date',
        privileges: 'fine: may write every table',
        keys: 'fine: 0 encrypted records; all of their keys are set',
        processes: 'fine: none runs',
        connections: expect.stringMatching(/^fine: 0 processes open up to 0 of \d+$/),
        'search index': 'fine: not compared yet',
        'dead letters': 'fine: none',
      })
      await client.query(`insert into vault_record (job_id, record, key_id, wrapped_key, sealed) values ('j', 'result', 'lost', '', '')`)
      expect((await verdictsOf(fresh.url)).keys).toBe('wrong: 1 of 1 encrypted records need keys that are not set (lost)')

      await client.query(`insert into platform_key (name, key_id) values ('EXPRESSION_KEY', 'former')`)
      expect((await verdictsOf(fresh.url)).EXPRESSION_KEY).toBe('wrong: own differs from former, which wrote the data')

      const role = `doctor_${randomBytes(4).toString('hex')}`
      await client.query(`create role ${role} login password 'p'; grant usage on schema public to ${role}; grant select on all tables in schema public to ${role};
        grant insert, update, delete on all tables in schema public to ${role}; revoke delete on vault_record from ${role}`)
      const theirs = new URL(fresh.url)
      theirs.username = role
      theirs.password = 'p'
      expect((await verdictsOf(theirs.href)).privileges).toBe('wrong: no right to read and write vault_record')
      await client.query(`drop owned by ${role}; drop role ${role}`)
    })

    it('fails with the reason of the server and without the password', async () => {
      await using fresh = await engine.open()
      const url = new URL(fresh.url)
      url.password = 'not-this-one'
      const failure = examinePostgres(url.href, limitMs)
      await expect(failure).rejects.toThrow(/password/)
      await expect(failure).rejects.not.toThrow(/not-this-one/)
    })
  })

const redis = realRedis()
if (redis === undefined) skippedWithout('REDIS_URL', 'the examination of Redis')
else
  describe('the examination of Redis', () => {
    it('reports version, eviction and persistence', async () => {
      const { engine, findings } = await examineRedis({ url: redis }, limitMs)
      expect(engine).toMatch(/^Redis \d/)
      expect(findings.map(({ about }) => about)).toEqual(['version', 'maxmemory-policy', expect.stringMatching(/^append/)])
    })

    it('fails with the reason of the server and without the password', async () => {
      const url = new URL(redis)
      url.password = 'not-this-one'
      const failure = examineRedis({ url: url.href }, limitMs)
      await expect(failure).rejects.toThrow(/WRONGPASS|password/)
      await expect(failure).rejects.not.toThrow(/not-this-one/)
    })
  })

const issuer = realIssuer()
if (issuer === undefined) skippedWithout('OIDC_ISSUER_URL', 'the examination of an issuer')
else
  describe('the examination of Keycloak', () => {
    it('reports whether the platform is a client of the issuer, without the secret', async () => {
      await untilIssuesToClients(issuer)
      const { engine, findings } = await examineIssuer(
        issuer,
        { client: { id: 'administration', secret: undefined }, profile: 'userinfo' },
        limitMs,
      )
      expect([engine, findings]).toEqual([
        'OpenID Connect issuer',
        [
          { about: 'client', verdict: 'fine', observation: 'administration' },
          { about: 'profile', verdict: 'fine', observation: 'userinfo' },
        ],
      ])
      // a client with a secret that exists in every realm
      const refused = await examineIssuer(issuer, { client: { id: 'broker', secret: 'not-this-one' }, profile: 'token' }, limitMs)
      expect(refused.findings).toMatchObject([
        {
          verdict: 'wrong',
          observation: 'broker is refused (unauthorized_client)',
          next: expect.stringMatching(/^Check OIDC_CLIENT_ID and /),
        },
        { about: 'profile', verdict: 'doubtful', observation: 'from the token alone' },
      ])
      expect(JSON.stringify(refused)).not.toContain('not-this-one')
    })

    it('fails with the reason why it is unreachable', async () => {
      const unusedUrl = `http://127.0.0.1:${await freePortBase()}/realm`
      await expect(examineIssuer(unusedUrl, { client: { id: 'x', secret: undefined }, profile: 'userinfo' }, limitMs)).rejects.toThrow(
        /ECONNREFUSED/,
      )
    })
  })

const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'the examination of Cassandra')
else
  describe('the examination of Cassandra', () => {
    it('reports version and commit log, and nothing of a missing keyspace', async () => {
      const { engine, findings } = await examineCassandra({ ...cassandra, keyspace: 'missing_keyspace' }, limitMs)
      expect(engine).toMatch(/^Cassandra \d/)
      expect(findings.map(({ about }) => about)).toEqual(['version', 'commitlog_sync'])
    })

    it('reports replication and commit log of a keyspace', async () => {
      const { findings } = await examineCassandra({ ...cassandra, keyspace: 'system_distributed' }, limitMs)
      expect(findings.find(({ about }) => about === 'durable_writes')).toMatchObject({ verdict: 'fine' })
      expect(findings.find(({ about }) => about === 'replication')?.observation).toMatch(/^\d replicas? (?:on|in) |^\d of \d node/)
    })
  })

const elasticsearch = realElasticsearch()
if (elasticsearch === undefined) skippedWithout('ELASTICSEARCH_URL', 'the examination of Elasticsearch')
else
  describe('the examination of Elasticsearch', () => {
    it('reports version, status and the indices under the prefix', async () => {
      const { engine, findings } = await examineElasticsearch({ url: elasticsearch, prefix: 'missing-prefix' }, limitMs)
      expect(engine).toMatch(/^Elasticsearch \d/)
      expect(findings.at(-1)).toMatchObject({ verdict: 'fine', observation: 'no index yet' })
    })
  })

describe('the examination of a folder', () => {
  it('writes, syncs, and leaves no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'examined-'))
    const { findings } = await examineFolder(folder)
    expect(findings.map(({ about }) => about)).toEqual(['space'])
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
    await expect(examineFolder(folder)).rejects.toThrow('ENOENT')
  })
})
