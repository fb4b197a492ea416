import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from './fault.ts'

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
const url = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), `must be a URL (${protocols.join(' or ')}//…)`)
const oneOf = <const Choice extends string>(...choices: readonly Choice[]) => z.enum(choices, `must be one of ${choices.join(', ')}`)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)
const key32 = z.string().refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')
const vaultKeyList = z.string().transform((text, context) =>
  text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const key = Buffer.from(entry, 'base64')
      if (key.length !== 32) context.addIssue({ code: 'custom', message: 'must be keys of 32 bytes in base64, comma separated' })
      return key
    }),
)
const apiKeys = z.string().transform((text, context) =>
  text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [, name, sha256, scopes] = /^([\w.-]{1,64}):([0-9a-f]{64})(?::([a-z:+]+))?$/.exec(entry.trim()) ?? []
      if (name === undefined || sha256 === undefined)
        context.addIssue({ code: 'custom', message: 'must be name:sha256hex[:scope+scope],…' })
      return { name: name ?? '', sha256: sha256 ?? '', scopes: scopes?.split('+') ?? ['submit', 'results'] }
    }),
)
/** The parts of a secret are joined by `+`, which base64 holds too; `whsec_` it cannot hold. */
const callbackSecrets = z.string().transform((text, context) =>
  text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [, name = '', secrets = ''] = /^([\w.-]{1,64}):(whsec_\S+)$/.exec(entry.trim()) ?? []
      const keys = secrets.split(/\+(?=whsec_)/).map((part) => Buffer.from(part.replace(/^whsec_/, ''), 'base64'))
      if (name === '' || keys.length > 2 || keys.some(({ length }) => length < 24 || length > 64))
        context.addIssue({ code: 'custom', message: 'must be name:whsec_base64[+whsec_base64],… with secrets of 24 to 64 bytes' })
      return { name, secrets: keys }
    }),
)
/** Which names there are is for those to say who know them. */
const numbersByName = z.string().transform((text, context) => {
  const entries = text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [, name = '', value = ''] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)$/.exec(entry.trim()) ?? []
      if (name === '') context.addIssue({ code: 'custom', message: 'must be name=number,…, such as faceSame=0.45,faceWidth=80' })
      return [name, Number(value)] as const
    })
  return Object.fromEntries(entries)
})
const subgraphUrls = z.string().transform((text, context) => {
  const urls: Record<string, string> = {}
  for (const entry of text.split(',').filter((item) => item.trim() !== '')) {
    const [, name, address] = /^([\w-]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? []
    if (name === undefined || address === undefined || !URL.canParse(address))
      context.addIssue({ code: 'custom', message: 'must be name=http://…,name=http://…' })
    else urls[name] = address
  }
  return urls
})

/** Headers of one connection, or of the body that the gateway writes itself, cannot be handed on (RFC 9110, section 7.6.1). */
const ownHeaders =
  /^(connection|host|upgrade|te|trailer|transfer-encoding|keep-alive|proxy-.*|content-.*|accept|accept-encoding|expect|x-request-id)$/
const headerNames = list.transform((names, context) => {
  const lower = names.map((name) => name.toLowerCase())
  if (lower.some((name) => !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || ownHeaders.test(name)))
    context.addIssue({ code: 'custom', message: 'must be names of headers that may be handed on' })
  return lower
})
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

interface Setting<Value> {
  readonly schema: z.ZodType<Value, string | undefined>
  readonly fallback?: string
  readonly secret?: true
  readonly help: string
}
const setting = <Value>(schema: z.ZodType<Value, string | undefined>, fallback: string | undefined, help: string): Setting<Value> =>
  fallback === undefined ? { schema, help } : { schema, fallback, help }
const secret = <Value>(schema: z.ZodType<Value, string | undefined>, help: string): Setting<Value> => ({ schema, secret: true, help })

/** Every setting of the platform: its rule, its default and what it is for. `npm start -- help` and the README's table print these. */
export const settings = {
  NODE_ENV: setting(oneOf('development', 'production', 'test'), 'development', 'production: no generated keys, no permissive defaults'),
  BIND_ADDRESS: setting(z.string().min(1), '127.0.0.1', 'address that the public listeners bind to'),
  PORT_BASE: setting(
    integer(0, 65_000),
    '4000',
    'GraphQL here, the five REST components on the next five ports, subgraphs on +11 to +15; 0: any free ports',
  ),
  PUBLIC_URL: setting(url('http:', 'https:').optional(), undefined, 'address of the gateway as clients see it'),
  DATA_DIR: setting(z.string().min(1), '.data', 'folder of the embedded engines, of credentials.json and of the development secrets'),
  LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'least level that is logged'),
  CORS_ORIGINS: setting(
    list.optional(),
    undefined,
    'origins that browsers may call from, comma separated (development: any; production: none)',
  ),
  METRICS_HOST: setting(z.string().min(1), '127.0.0.1', 'address of the Prometheus listener'),
  METRICS_PORT: setting(integer(0, 65_535).optional(), undefined, 'its port (all: PORT_BASE+9; other role lists: any free one, printed)'),
  SUBGRAPH_URLS: setting(
    subgraphUrls,
    '',
    'name=http://…,…: where subgraphs of other processes answer (default: PORT_BASE+11 to +15 on this machine)',
  ),
  SUPERGRAPH_FILE: setting(
    z.string().min(1).optional(),
    undefined,
    'a federation v2 supergraph that the gateway role serves instead of ours, over remote subgraphs (their addresses: in it or in SUBGRAPH_URLS)',
  ),
  PROPAGATE_HEADERS: setting(
    headerNames,
    '',
    'with SUPERGRAPH_FILE: names of request headers that reach its subgraphs as they came, such as authorization, comma separated',
  ),
  PRINCIPAL_SIGNING_KEY: secret(key32.optional(), 'signs who asks between the gateway and the subgraphs; 32 bytes in base64'),
  DATABASE_URL: secret(url('postgres:', 'postgresql:').optional(), 'PostgreSQL 15 or newer (default: an embedded one)'),
  DATABASE_POOL: setting(integer(1, 1000), '10', 'most connections of one process'),
  REDIS_URL: secret(
    url('redis:', 'rediss:').optional(),
    'Redis 7 for the job queue, announcements and the key-value store (default: PostgreSQL)',
  ),
  REDIS_PREFIX: setting(
    z.string().regex(/^[\w{}.-]+$/, 'may hold letters, digits, _ . - and braces'),
    'civigraph',
    'prefix of every Redis key',
  ),
  ELASTICSEARCH_URL: secret(
    url('http:', 'https:').optional(),
    'Elasticsearch 9 for the search index, with user:password@ where it asks for them (default: LanceDB in DATA_DIR)',
  ),
  ELASTICSEARCH_PREFIX: setting(
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'may hold small letters, digits and -'),
    'civigraph',
    'prefix of every index and alias there',
  ),
  CASSANDRA_CONTACT_POINTS: setting(
    list.optional(),
    undefined,
    'host:port,…: Apache Cassandra 5 for the trees of content (default: PostgreSQL)',
  ),
  CASSANDRA_LOCAL_DATACENTER: setting(z.string().min(1), 'datacenter1', 'its data centre that is near'),
  CASSANDRA_KEYSPACE: setting(
    z.string().regex(/^[a-z][a-z0-9_]{0,47}$/, 'may hold small letters, digits and _'),
    'civigraph',
    'its keyspace, made when it is not there, with one replica',
  ),
  OIDC_ISSUER_URL: setting(
    url('http:', 'https:').optional(),
    undefined,
    'OpenID Connect issuer of the people who administer (default: one in the platform)',
  ),
  OIDC_CLIENT_ID: setting(
    z.string().min(1),
    'administration',
    'the platform’s client at the issuer; it must be allowed the password grant',
  ),
  OIDC_CLIENT_SECRET: secret(z.string().min(1).optional(), 'its secret, when it has one'),
  OIDC_AUDIENCE: setting(z.string().min(1), 'civigraph', 'what access tokens must have in `aud`'),
  OIDC_ROLES_CLAIM: setting(z.string().min(1), 'roles', 'claim that holds the roles; a dot goes into an object'),
  OIDC_GROUPS_CLAIM: setting(z.string().min(1), 'groups', 'claim that holds the groups'),
  OIDC_TENANT_CLAIM: setting(z.string().min(1), 'tenant', 'claim that holds the tenant'),
  EMBEDDED_ISSUER_URL: setting(
    url('http:', 'https:').optional(),
    undefined,
    'address of the issuer in the platform, as clients see it and tokens say it (default: http://127.0.0.1:{PORT_BASE+4}/oidc)',
  ),
  TRUST_PROXY: setting(integer(0, 10), '0', 'how many proxies of ours stand before the listeners; so many X-Forwarded-For entries count'),
  PSEUDONYM_KEY: secret(
    key32.optional(),
    'makes pseudonyms of who says and votes what; never changed, or nobody is recognised again; 32 bytes in base64',
  ),
  INGEST_AUTH: setting(oneOf('open', 'token', 'key'), 'open', 'who may send expressions: everybody, users, or users and services'),
  INGEST_RATE: setting(
    integer(1, 1_000_000),
    '60',
    'expressions a minute that one address may send (development: this machine is unlimited)',
  ),
  MODELS_DIR: setting(
    z.string().min(1).optional(),
    undefined,
    'folder of the models that "npm run models -- pull" installs (default: DATA_DIR/models)',
  ),
  GEOCODER_URL: setting(
    url('http:', 'https:').optional(),
    undefined,
    'a Nominatim, such as https://nominatim.openstreetmap.org, that finds places (default: an offline list of towns)',
  ),
  STREAM_CLIENTS: setting(integer(1, 1_000_000), '10000', 'connections to /ws that one process takes at once'),
  STREAM_CLIENTS_PER_USER: setting(integer(1, 1_000_000), '100', 'those of one user'),
  TIMEZONE: setting(
    z.string().refine(isTimezone, 'must be the IANA name of a time zone, such as Africa/Dakar'),
    'UTC',
    'time zone whose days the figures of exploration are of; after a change they are counted anew',
  ),
  GEOCODER_COUNTRIES: setting(
    list,
    '',
    'ISO 3166 alpha-2 codes, comma separated: places in these countries are meant before others of the same name',
  ),
  LLM_URL: setting(
    url('http:', 'https:').optional(),
    undefined,
    'address of an OpenAI-compatible API, such as https://host/v1: a language model then judges subject and tone; texts go there without personal data',
  ),
  LLM_MODEL: setting(z.string().min(1).optional(), undefined, 'its model, needed with LLM_URL'),
  LLM_API_KEY: secret(z.string().min(1).optional(), 'its key, when it asks for one'),
  LLM_TIMEOUT_MS: setting(integer(100, 60_000), '4000', 'longest time that an expression waits for the language model'),
  VAULT_KEY: secret(key32.optional(), 'seals the images and results of verification jobs at rest; 32 bytes in base64'),
  VAULT_KEY_PREVIOUS: secret(
    vaultKeyList.optional(),
    'VAULT_KEYs of before, comma separated: they open what they sealed until "npm run keys -- rewrap" has sealed it anew',
  ),
  VERIFICATION_API_KEYS: secret(
    apiKeys.optional(),
    'name:sha256hex[:scope+scope],…: keys of verification clients beside those of "npm run keys" (development: one is generated)',
  ),
  CALLBACK_SECRETS: secret(
    callbackSecrets.optional(),
    'name:whsec_base64[+whsec_base64],…: what the callbacks of a key are signed with, two while one replaces the other',
  ),
  VERIFICATION_CONCURRENCY: setting(integer(1, 64), '2', 'verification jobs that one worker runs at once'),
  VERIFICATION_THRESHOLDS: setting(
    numbersByName,
    '',
    'name=number,…: lines that the rules of verification draw elsewhere than docs/thresholds.md says, such as faceSame=0.45',
  ),
  RESULT_RETENTION_DAYS: setting(
    integer(1, 3650).optional(),
    undefined,
    'drop results that nobody acknowledged after so many days (default: never)',
  ),
  MAX_BATCH_JOBS: setting(integer(1, 10_000), '100', 'most jobs in one batch'),
  MAX_BODY_MB: setting(integer(1, 1024), '24', 'largest request body'),
  MAX_BATCH_BODY_MB: setting(integer(1, 4096), '64', 'largest body of a batch'),
  MAX_IMPORT_MB: setting(integer(1, 65_536), '2048', 'largest body of a content import, which is never in memory as a whole'),
  INTAKE_INFLIGHT_MB: setting(integer(1, 65_536), '256', 'most bytes of request bodies held in memory at once; beyond it callers get 503'),
  REQUEST_TIMEOUT_MS: setting(integer(100, 600_000), '10000', 'longest time that one request may take'),
  PDF_MEMORY_MB: setting(
    integer(384, 65_536),
    '2048',
    'memory that making one PDF of content may take; how much it may hold follows from it',
  ),
  PDF_TIMEOUT_MS: setting(integer(1000, 600_000), '60000', 'longest time that making one PDF may take'),
  CONTENT_SNAPSHOT: setting(
    z.string().min(1).optional(),
    undefined,
    'folder of the copies of content that are read while its store is away (default: DATA_DIR/content-snapshot)',
  ),
  ADMIN_AUTH: setting(
    oneOf('token', 'token-or-key'),
    'token',
    'who may call /api/v1/admin/*: people by their token; token-or-key: also services with scope admin',
  ),
  GRAPHQL_INTROSPECTION: setting(
    oneOf('on', 'off').optional(),
    undefined,
    'whether clients may read the schema (default: on, in production off)',
  ),
  DEMO_DATA: setting(
    oneOf('on', 'off'),
    'on',
    'off: no demonstration data; on: it is loaded in development, by a single process on embedded engines',
  ),
  ONNX_EXECUTION_PROVIDERS: setting(list, 'cpu', 'onnxruntime execution providers in order of preference'),
} as const satisfies Record<string, Setting<unknown>>

type SettingName = keyof typeof settings
type Values = { readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never }

/** What the callbacks of a service are signed with, the newest first. */
export interface CallbackSecrets {
  readonly name: string
  readonly secrets: readonly Uint8Array[]
}

export interface ApiKey {
  readonly name: string
  /** hex of the SHA-256 of the key */
  readonly sha256: string
  readonly scopes: readonly string[]
}

/** The settings of one process, read-only. Sizes are bytes, times are milliseconds, as the names say. */
export interface Config {
  readonly production: boolean
  readonly bindAddress: string
  readonly portBase: number
  readonly publicUrl: string | undefined
  /** absolute */
  readonly dataDir: string
  readonly logLevel: string
  /** 'any' in development unless set */
  readonly corsOrigins: readonly string[] | 'any'
  readonly metrics: { readonly host: string; readonly port: number | undefined }
  readonly subgraphUrls: Readonly<Record<string, string>>
  /** absolute */
  readonly supergraphFile: string | undefined
  /** in lower case */
  readonly propagateHeaders: readonly string[]
  readonly principalSigningKey: Uint8Array | undefined
  readonly database: { readonly url: string | undefined; readonly poolSize: number }
  readonly redis: { readonly url: string; readonly prefix: string } | undefined
  readonly elasticsearch: { readonly url: string; readonly prefix: string } | undefined
  readonly cassandra: { readonly contactPoints: readonly string[]; readonly localDataCenter: string; readonly keyspace: string } | undefined
  readonly vaultKey: Uint8Array | undefined
  readonly pseudonymKey: Uint8Array | undefined
  /** IANA name */
  readonly timezone: string
  readonly ingest: { readonly auth: 'open' | 'token' | 'key'; readonly perMinute: number }
  readonly stream: { readonly clients: number; readonly clientsPerUser: number }
  readonly languageModel:
    | { readonly url: string; readonly model: string; readonly apiKey: string | undefined; readonly limitMs: number }
    | undefined
  /** absolute */
  readonly modelsFolder: string
  readonly geocoder: { readonly url: string | undefined; readonly countries: readonly string[] }
  readonly previousVaultKeys: readonly Uint8Array[]
  readonly identity: {
    /** undefined: the issuer in the platform */
    readonly issuerUrl: string | undefined
    readonly embeddedIssuerUrl: string
    readonly client: { readonly id: string; readonly secret: string | undefined }
    readonly audience: string
    readonly claims: { readonly roles: string; readonly groups: string; readonly tenant: string }
  }
  /** how many proxies of ours stand before the listeners */
  readonly trustedProxies: number
  readonly verification: {
    readonly apiKeys: readonly ApiKey[] | undefined
    readonly callbackSecrets: readonly CallbackSecrets[]
    readonly concurrency: number
    readonly thresholds: Readonly<Record<string, number>>
    readonly resultRetentionDays: number | undefined
    readonly maxBatchJobs: number
  }
  readonly limits: {
    readonly bodyBytes: number
    readonly batchBodyBytes: number
    readonly importBytes: number
    readonly intakeInflightBytes: number
    readonly requestTimeoutMs: number
  }
  readonly content: {
    /** absolute */
    readonly snapshotFolder: string
    /** for one PDF */
    readonly pdf: { readonly memoryBytes: number; readonly timeMs: number }
  }
  /** whether services with scope admin may do what administrators may */
  readonly adminKeys: boolean
  readonly introspection: boolean
  /** whether demonstration data may be loaded where nothing is real */
  readonly demonstrationData: boolean
  readonly onnxExecutionProviders: readonly string[]
}

/** Every problem of the settings at once, a sentence each, by variable name. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The value of a setting: the variable, or for a secret the content of the file that NAME_FILE names. */
function textOf(name: string, rule: Setting<unknown>, env: NodeJS.ProcessEnv): string | undefined {
  const file = env[`${name}_FILE`]
  if (rule.secret && file !== undefined && file !== '') {
    if (env[name] !== undefined && env[name] !== '') throw new Error(`both ${name} and ${name}_FILE are set; keep one`)
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read: ${messageOf(error)}`)
    }
  }
  return env[name] === '' ? rule.fallback : (env[name] ?? rule.fallback)
}

/**
 * Reads the settings once, at the start of the process.
 * @throws {ConfigProblems} naming every setting that does not parse; never with the value of a secret
 */
export function parseConfig(env: NodeJS.ProcessEnv, workingDirectory: string): Config {
  const problems: string[] = []
  const read = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, rule]) => {
      try {
        const text = textOf(name, rule, env)
        if (text === undefined) return [name, undefined]
        const parsed = rule.schema.safeParse(text)
        if (parsed.success) return [name, parsed.data]
        problems.push(`${name} ${parsed.error.issues.map((issue) => issue.message).join(', ')}${rule.secret ? '' : ` (it is "${text}")`}`)
      } catch (error) {
        problems.push(messageOf(error))
      }
      return [name, undefined]
    }),
  )
  if (read.LLM_URL !== undefined && read.LLM_MODEL === undefined) problems.push('LLM_MODEL is missing: LLM_URL needs it')
  if (problems.length > 0) throw new ConfigProblems(problems)
  // Every value came out of its own schema above; the record type cannot follow that through Object.entries.
  return arrange(read as Values, workingDirectory)
}

function arrange(value: Values, workingDirectory: string): Config {
  const dataDir = resolve(workingDirectory, value.DATA_DIR)
  const production = value.NODE_ENV === 'production'
  const bytes = (key: string | undefined) => (key === undefined ? undefined : Buffer.from(key, 'base64'))
  const mebibyte = 1024 * 1024
  return {
    production,
    bindAddress: value.BIND_ADDRESS,
    portBase: value.PORT_BASE,
    publicUrl: value.PUBLIC_URL,
    dataDir,
    logLevel: value.LOG_LEVEL,
    corsOrigins: value.CORS_ORIGINS ?? (production ? [] : 'any'),
    metrics: { host: value.METRICS_HOST, port: value.METRICS_PORT },
    subgraphUrls: value.SUBGRAPH_URLS,
    propagateHeaders: value.PROPAGATE_HEADERS,
    supergraphFile: value.SUPERGRAPH_FILE === undefined ? undefined : resolve(workingDirectory, value.SUPERGRAPH_FILE),
    principalSigningKey: bytes(value.PRINCIPAL_SIGNING_KEY),
    database: { url: value.DATABASE_URL, poolSize: value.DATABASE_POOL },
    redis: value.REDIS_URL === undefined ? undefined : { url: value.REDIS_URL, prefix: value.REDIS_PREFIX },
    elasticsearch: value.ELASTICSEARCH_URL === undefined ? undefined : { url: value.ELASTICSEARCH_URL, prefix: value.ELASTICSEARCH_PREFIX },
    cassandra:
      value.CASSANDRA_CONTACT_POINTS === undefined
        ? undefined
        : {
            contactPoints: value.CASSANDRA_CONTACT_POINTS,
            localDataCenter: value.CASSANDRA_LOCAL_DATACENTER,
            keyspace: value.CASSANDRA_KEYSPACE,
          },
    vaultKey: bytes(value.VAULT_KEY),
    pseudonymKey: bytes(value.PSEUDONYM_KEY),
    ingest: { auth: value.INGEST_AUTH, perMinute: value.INGEST_RATE },
    stream: { clients: value.STREAM_CLIENTS, clientsPerUser: value.STREAM_CLIENTS_PER_USER },
    languageModel:
      value.LLM_URL === undefined || value.LLM_MODEL === undefined
        ? undefined
        : { url: value.LLM_URL, model: value.LLM_MODEL, apiKey: value.LLM_API_KEY, limitMs: value.LLM_TIMEOUT_MS },
    modelsFolder: resolve(workingDirectory, value.MODELS_DIR ?? join(dataDir, 'models')),
    geocoder: { url: value.GEOCODER_URL, countries: value.GEOCODER_COUNTRIES.map((code) => code.toUpperCase()) },
    timezone: value.TIMEZONE,
    previousVaultKeys: value.VAULT_KEY_PREVIOUS ?? [],
    identity: {
      issuerUrl: value.OIDC_ISSUER_URL,
      embeddedIssuerUrl: value.EMBEDDED_ISSUER_URL ?? `http://127.0.0.1:${(value.PORT_BASE || 4000) + 4}/oidc`,
      client: { id: value.OIDC_CLIENT_ID, secret: value.OIDC_CLIENT_SECRET },
      audience: value.OIDC_AUDIENCE,
      claims: { roles: value.OIDC_ROLES_CLAIM, groups: value.OIDC_GROUPS_CLAIM, tenant: value.OIDC_TENANT_CLAIM },
    },
    trustedProxies: value.TRUST_PROXY,
    verification: {
      apiKeys: value.VERIFICATION_API_KEYS,
      callbackSecrets: value.CALLBACK_SECRETS ?? [],
      concurrency: value.VERIFICATION_CONCURRENCY,
      thresholds: value.VERIFICATION_THRESHOLDS,
      resultRetentionDays: value.RESULT_RETENTION_DAYS,
      maxBatchJobs: value.MAX_BATCH_JOBS,
    },
    limits: {
      bodyBytes: value.MAX_BODY_MB * mebibyte,
      batchBodyBytes: value.MAX_BATCH_BODY_MB * mebibyte,
      importBytes: value.MAX_IMPORT_MB * mebibyte,
      intakeInflightBytes: value.INTAKE_INFLIGHT_MB * mebibyte,
      requestTimeoutMs: value.REQUEST_TIMEOUT_MS,
    },
    content: {
      snapshotFolder: resolve(workingDirectory, value.CONTENT_SNAPSHOT ?? join(dataDir, 'content-snapshot')),
      pdf: { memoryBytes: value.PDF_MEMORY_MB * mebibyte, timeMs: value.PDF_TIMEOUT_MS },
    },
    adminKeys: value.ADMIN_AUTH === 'token-or-key',
    introspection: value.GRAPHQL_INTROSPECTION === undefined ? !production : value.GRAPHQL_INTROSPECTION === 'on',
    demonstrationData: value.DEMO_DATA === 'on',
    onnxExecutionProviders: value.ONNX_EXECUTION_PROVIDERS,
  }
}
