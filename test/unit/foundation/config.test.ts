import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigProblems, parseConfig } from '../../../foundation/config/config.ts'

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    parseConfig(env, '/work')
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
  return []
}

describe('settings', () => {
  it('report a certificate without its key, and invalid addresses', () => {
    expect(problemsOf({ TLS_CERT_FILE: 'a' })).toEqual(['TLS_KEY_FILE is missing: a certificate needs its key and a key its certificate'])
    expect(problemsOf({ TLS_KEY_FILE: 'a' })).toEqual(['TLS_CERT_FILE is missing: a certificate needs its key and a key its certificate'])
    expect(problemsOf({ REDIS_URL: 'redis://a', REDIS_SENTINELS: 'a:26379,b' })).toEqual([
      'REDIS_SENTINELS must be host:port,… (it is "a:26379,b")',
    ])
    expect(parseConfig({ REDIS_URL: 'redis://a', REDIS_SENTINELS: 'a:26379,[::1]:1' }, '/').redis?.sentinel).toMatchObject({
      nodes: [
        { host: 'a', port: 26_379 },
        { host: '::1', port: 1 },
      ],
      name: 'mymaster',
    })
    expect(parseConfig({ REDIS_URL: 'rediss://:p@a', REDIS_CLUSTER_NODES: 'b:7000,c:7001' }, '/').redis).toMatchObject({
      clusterNodes: [
        { host: 'b', port: 7000 },
        { host: 'c', port: 7001 },
      ],
      sentinel: undefined,
    })
    expect(problemsOf({ REDIS_URL: 'redis://a/2', REDIS_CLUSTER_NODES: 'b:7000', REDIS_SENTINELS: 'c:26379' })).toEqual([
      'both REDIS_SENTINELS and REDIS_CLUSTER_NODES are set: unset one of them',
      'REDIS_URL names a database, but a Redis Cluster has only database 0',
    ])
    expect(problemsOf({ REDIS_CLUSTER_NODES: 'b:7000' })).toEqual(['REDIS_URL is missing: REDIS_CLUSTER_NODES needs it'])
    expect(problemsOf({ REDIS_URL: 'redis://a', REDIS_CLUSTER_NODES: ' , ' })).toEqual([
      'REDIS_CLUSTER_NODES must be host:port,… (it is " , ")',
    ])
    expect(parseConfig({ TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' }, '/etc').certificateFiles).toEqual({
      certificate: '/etc/a',
      key: '/etc/b',
    })
  })

  it('accept several PostgreSQL servers, a pooler and replicas, and refuse invalid ones, naming the variable', () => {
    const { database } = parseConfig(
      {
        DATABASE_URL: 'postgres://u:p%40@pooler:6432/d',
        DATABASE_DIRECT_URL: 'postgresql://u:p%40@one:5432,[::1]:5433,three/d?sslmode=verify-full&target_session_attrs=read-write',
        DATABASE_REPLICA_URLS: 'postgres://u@two/d, postgres://u@three/d?sslmode=verify-full',
      },
      '/',
    )
    const rest = '/d?sslmode=verify-full&target_session_attrs=read-write'
    expect(database).toMatchObject({
      urls: ['postgres://u:p%40@pooler:6432/d'],
      directUrls: [`postgresql://u:p%40@one:5432${rest}`, `postgresql://u:p%40@[::1]:5433${rest}`, `postgresql://u:p%40@three${rest}`],
      replicaUrls: ['postgres://u@two/d', 'postgres://u@three/d?sslmode=verify-full'],
    })
    const sentence = 'must be a URL (postgres://host,host/database)'
    expect(problemsOf({ DATABASE_URL: 'postgres://one,two:x/d', DATABASE_DIRECT_URL: 'postgres://a/d?target_session_attrs=any' })).toEqual([
      `DATABASE_URL ${sentence}`,
      `DATABASE_DIRECT_URL ${sentence}`,
    ])
    expect(problemsOf({ DATABASE_DIRECT_URL: 'postgres://a/d', DATABASE_REPLICA_URLS: 'postgres://b/d' })).toEqual([
      'DATABASE_URL is missing: DATABASE_DIRECT_URL needs it',
      'DATABASE_URL is missing: DATABASE_REPLICA_URLS needs it',
    ])
    expect(problemsOf({ DATABASE_URL: 'postgres://a/d', DATABASE_REPLICA_URLS: 'postgres://b,c/d' })).toHaveLength(1)
  })

  it('read the certificate authorities of an engine, and refuse a file without a certificate or without use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'civigraph-'))
    const [file, other] = [join(folder, 'ca.pem'), join(folder, 'none.pem')]
    const certificate = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
    writeFileSync(file, certificate('first'))
    writeFileSync(other, 'none')
    const { ca } = parseConfig({ REDIS_URL: 'rediss://a', REDIS_CA_FILE: file }, '/').redis ?? {}
    expect(ca?.()).toBe(certificate('first'))
    writeFileSync(file, certificate('second'))
    expect(ca?.()).toBe(certificate('second'))
    writeFileSync(file, certificate('third').slice(0, -12))
    expect(ca?.()).toBe(certificate('second'))
    writeFileSync(file, certificate('third'))
    expect(ca?.()).toBe(certificate('third'))
    expect(problemsOf({ REDIS_URL: 'redis://a', REDIS_CA_FILE: other, ELASTICSEARCH_CA_FILE: '/nowhere' })).toEqual([
      `REDIS_CA_FILE must be a file of certificates (PEM) (it is "${other}")`,
      expect.stringMatching(/^ELASTICSEARCH_CA_FILE cannot be read: ENOENT.* \(it is "\/nowhere"\)$/),
    ])
    const plain = { REDIS_URL: 'redis://a', ELASTICSEARCH_URL: 'http://a', CASSANDRA_CONTACT_POINTS: 'a' }
    const files = { REDIS_CA_FILE: file, ELASTICSEARCH_CA_FILE: file, CASSANDRA_CA_FILE: file }
    expect(problemsOf({ ...plain, ...files })).toEqual([
      'REDIS_CA_FILE is set, but REDIS_URL does not use TLS (rediss://)',
      'ELASTICSEARCH_CA_FILE is set, but ELASTICSEARCH_URL does not use TLS (https://)',
      'CASSANDRA_CA_FILE is set, but CASSANDRA_TLS is off',
    ])
  })

  it('have a default for everything that development needs', () => {
    expect(parseConfig({}, '/home/user')).toMatchObject({
      production: false,
      bindAddress: '127.0.0.1',
      portBase: 4000,
      dataDir: '/home/user/.data',
      corsOrigins: 'any',
      introspection: true,
      database: { urls: undefined, poolSize: 10 },
      redis: undefined,
      limits: { bodyBytes: 24 * 1024 * 1024, requestTimeoutMs: 10_000 },
    })
  })

  it('are stricter in production', () => {
    expect(parseConfig({ NODE_ENV: 'production' }, '/')).toMatchObject({ production: true, corsOrigins: [], introspection: false })
    const isPublicVotingOn = (env: NodeJS.ProcessEnv) => parseConfig(env, '/').exploration.publicVoting.isOn
    expect(isPublicVotingOn({})).toBe(true)
    expect(isPublicVotingOn({ NODE_ENV: 'production' })).toBe(false)
    expect(isPublicVotingOn({ NODE_ENV: 'production', PUBLIC_VOTING: 'on' })).toBe(true)
    expect(isPublicVotingOn({ PUBLIC_VOTING: 'off' })).toBe(false)
  })

  it('accept several nodes and data centres, and refuse invalid ones, naming the variable', () => {
    const config = parseConfig(
      {
        ELASTICSEARCH_URL: 'https://one:9200, https://two:9200',
        ELASTICSEARCH_API_KEY: 'k',
        CASSANDRA_CONTACT_POINTS: 'a,b',
        CASSANDRA_TLS: 'on',
        CASSANDRA_LOCAL_DATACENTER: 'thies',
        CASSANDRA_REPLICATION: 'dakar:3,thies:2',
      },
      '/',
    )
    expect(config.elasticsearch).toMatchObject({ url: 'https://one:9200,https://two:9200', apiKey: 'k', shards: undefined })
    expect(config.cassandra).toMatchObject({
      tls: true,
      replication: [
        ['dakar', 3],
        ['thies', 2],
      ],
    })
    const problems = problemsOf({
      ELASTICSEARCH_URL: 'https://one:9200,two:9200',
      ELASTICSEARCH_REPLICAS: '-1',
      CASSANDRA_CONTACT_POINTS: 'a',
      CASSANDRA_REPLICATION: 'dakar:3,thies:two',
    })
    expect(problems.join('\n')).toMatch(/ELASTICSEARCH_URL.*\n.*ELASTICSEARCH_REPLICAS.*\n.*CASSANDRA_REPLICATION/)
    expect(problems).toHaveLength(3)
    const far = { CASSANDRA_CONTACT_POINTS: 'a', CASSANDRA_REPLICATION: 'dakar:3,thies:3', CASSANDRA_LOCAL_DATACENTER: 'bamako' }
    expect(problemsOf(far)).toEqual([expect.stringMatching(/^CASSANDRA_REPLICATION places no replica in bamako/)])
    expect(problemsOf({ ...far, CASSANDRA_CONSISTENCY: 'quorum' })).toEqual([])
  })

  it('report every problem at once, naming each variable', () => {
    const problems = problemsOf({
      PORT_BASE: 'high',
      LOG_LEVEL: 'loud',
      MAX_BODY_MB: '0',
      SUBGRAPH_URLS: 'content',
      DATABASE_URL: 'mysql://x',
      DATABASE_POOL: '1',
    })
    expect(problems).toHaveLength(6)
    for (const name of ['PORT_BASE', 'LOG_LEVEL', 'MAX_BODY_MB', 'SUBGRAPH_URLS', 'DATABASE_URL', 'DATABASE_POOL'])
      expect(problems.join('\n')).toContain(name)
  })

  it('reserve time for the answer after the language model', () => {
    const env = { LLM_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'small', LLM_TIMEOUT_MS: '6000' }
    expect(parseConfig(env, '/').languageModel).toMatchObject({ limitMs: 6000 })
    expect(problemsOf({ ...env, LLM_TIMEOUT_MS: '6001' })).toEqual([
      'LLM_TIMEOUT_MS must be at most 60 % of REQUEST_TIMEOUT_MS (it is 6001)',
    ])
    expect(parseConfig({ ...env, LLM_TIMEOUT_MS: '9000', REQUEST_TIMEOUT_MS: '15000' }, '/').languageModel).toMatchObject({ limitMs: 9000 })
  })

  it('never print the value of a secret', () => {
    expect(problemsOf({ VAULT_KEY: 'c2hvcnQ=', DATABASE_URL: 'ftp://user:hunter2@db' }).join()).not.toMatch(/c2hvcnQ=|hunter2/)
  })

  it('read a secret from the file that NAME_FILE names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'civigraph-')), 'key')
    writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64')}\n`)
    expect(parseConfig({ VAULT_KEY_FILE: file }, '/').vaultKey).toEqual(Buffer.alloc(32, 7))
    expect(problemsOf({ VAULT_KEY_FILE: '/nowhere/key' })[0]).toContain('VAULT_KEY_FILE')
    expect(problemsOf({ VAULT_KEY_FILE: file, VAULT_KEY: 'x' })[0]).toMatch(/both VAULT_KEY and VAULT_KEY_FILE/)
  })

  it('name the public URLs of REST components, by default those of this machine', () => {
    const urlsOf = (env: NodeJS.ProcessEnv) => parseConfig(env, '/').restPublicUrls
    expect(urlsOf({ PORT_BASE: '5000' })).toEqual({
      verification: 'http://127.0.0.1:5001',
      classification: 'http://127.0.0.1:5003',
      content: 'http://127.0.0.1:5005',
    })
    expect(urlsOf({ REST_PUBLIC_URLS: 'content=https://content.example.org' })).toEqual({
      verification: 'http://127.0.0.1:4001',
      classification: 'http://127.0.0.1:4003',
      content: 'https://content.example.org',
    })
    expect(problemsOf({ REST_PUBLIC_URLS: 'content.example.org' })[0]).toMatch(/^REST_PUBLIC_URLS/)
  })

  it('read the keys of verification clients with their scopes', () => {
    const hash = 'a'.repeat(64)
    expect(parseConfig({ VERIFICATION_API_KEYS: `bank:${hash},registry:${hash}:results:all+admin` }, '/').verification.apiKeys).toEqual([
      { name: 'bank', sha256: hash, scopes: ['submit', 'results'] },
      { name: 'registry', sha256: hash, scopes: ['results:all', 'admin'] },
    ])
    expect(problemsOf({ VERIFICATION_API_KEYS: 'bank:plaintext' })[0]).toMatch(/^VERIFICATION_API_KEYS must be name:sha256hex/)
  })
})
