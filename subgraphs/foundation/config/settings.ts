import { z } from 'zod'
import {
  apiKeys,
  callbackSecrets,
  headerNames,
  integer,
  key32,
  list,
  numbersByName,
  oneOf,
  subgraphUrls,
  timeZone,
  url,
  vaultKeyList,
} from './setting-rules.ts'

/** One setting: its rule, its default, and what it is for. */
export interface Setting<Value> {
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
  DATABASE_POOL: setting(integer(2, 1000), '10', 'most connections of one process'),
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
    'folder of the models that "npm run civigraph -- models pull" installs (default: DATA_DIR/models)',
  ),
  GEOCODER_URL: setting(
    url('http:', 'https:').optional(),
    undefined,
    'a Nominatim, such as https://nominatim.openstreetmap.org, that finds places (default: an offline list of towns)',
  ),
  SUBSCRIPTION_CLIENTS: setting(integer(1, 1_000_000), '20000', 'connections of graphql-ws that the gateway takes at once'),
  STREAM_CLIENTS: setting(integer(1, 1_000_000), '10000', 'connections to /ws that one process takes at once'),
  STREAM_CLIENTS_PER_USER: setting(integer(1, 1_000_000), '100', 'those of one user'),
  TIMEZONE: setting(timeZone, 'UTC', 'time zone whose days the figures of exploration are of; after a change they are counted anew'),
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
  LLM_TIMEOUT_MS: setting(
    integer(100, 60_000),
    '4000',
    'longest time that an expression waits for the language model; at most 60 % of REQUEST_TIMEOUT_MS',
  ),
  VAULT_KEY: secret(key32.optional(), 'seals the images and results of verification jobs at rest; 32 bytes in base64'),
  VAULT_KEY_PREVIOUS: secret(
    vaultKeyList.optional(),
    'VAULT_KEYs of before, comma separated: they open what they sealed until "npm run civigraph -- keys rewrap" has sealed it anew, and 24 hours are over',
  ),
  VAULT_DIR: setting(
    z.string().min(1).optional(),
    undefined,
    'folder, seen by every process of verification, in which sealed images are kept as files (default: in PostgreSQL)',
  ),
  VERIFICATION_API_KEYS: secret(
    apiKeys.optional(),
    'name:sha256hex[:scope+scope],…: keys of verification clients beside those of "npm run civigraph -- keys" (development: one is generated)',
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
/** What came out of the rules, by the name of the variable. */
export type SettingValues = { readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never }
