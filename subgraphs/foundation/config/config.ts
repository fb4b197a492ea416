import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '../fault.ts'
import { type Setting, type SettingValues, settings } from './settings.ts'

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
  /** connections of graphql-ws at once */
  readonly subscriptionClients: number
  readonly stream: { readonly clients: number; readonly clientsPerUser: number }
  readonly languageModel:
    | { readonly url: string; readonly model: string; readonly apiKey: string | undefined; readonly limitMs: number }
    | undefined
  /** absolute */
  readonly modelsFolder: string
  readonly geocoder: { readonly url: string | undefined; readonly countries: readonly string[] }
  readonly previousVaultKeys: readonly Uint8Array[]
  /** absolute */
  readonly vaultFolder: string | undefined
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

const languageModelShare = 0.6

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
  // an expression is taken in by then, or its caller is told to come again
  if (read.LLM_URL !== undefined && Number(read.LLM_TIMEOUT_MS) > languageModelShare * Number(read.REQUEST_TIMEOUT_MS))
    problems.push(`LLM_TIMEOUT_MS must be at most ${languageModelShare * 100} % of REQUEST_TIMEOUT_MS (it is ${read.LLM_TIMEOUT_MS})`)
  if (problems.length > 0) throw new ConfigProblems(problems)
  // Every value came out of its own schema above; the record type cannot follow that through Object.entries.
  return arrange(read as SettingValues, workingDirectory)
}

function arrange(value: SettingValues, workingDirectory: string): Config {
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
    subscriptionClients: value.SUBSCRIPTION_CLIENTS,
    stream: { clients: value.STREAM_CLIENTS, clientsPerUser: value.STREAM_CLIENTS_PER_USER },
    languageModel:
      value.LLM_URL === undefined || value.LLM_MODEL === undefined
        ? undefined
        : { url: value.LLM_URL, model: value.LLM_MODEL, apiKey: value.LLM_API_KEY, limitMs: value.LLM_TIMEOUT_MS },
    modelsFolder: resolve(workingDirectory, value.MODELS_DIR ?? join(dataDir, 'models')),
    geocoder: { url: value.GEOCODER_URL, countries: value.GEOCODER_COUNTRIES.map((code) => code.toUpperCase()) },
    timezone: value.TIMEZONE,
    previousVaultKeys: value.VAULT_KEY_PREVIOUS ?? [],
    vaultFolder: value.VAULT_DIR === undefined ? undefined : resolve(workingDirectory, value.VAULT_DIR),
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
