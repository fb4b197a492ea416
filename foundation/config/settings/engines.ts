import { secret, setting, settingsWith } from './setting.ts'
import {
  authorities,
  countries,
  databaseReplicas,
  databaseUrls,
  folder,
  hostsAndPorts,
  integer,
  list,
  milliseconds,
  oneOf,
  onOrOff,
  replication,
  text,
  textOf,
  url,
  webUrl,
  webUrls,
} from './setting-rules.ts'

export const engineSettings = {
  migrate: setting(
    'MIGRATE',
    onOrOff,
    'on',
    'on: a start migrates tables and indices; off: it refuses while a migration is pending, and needs no right to change a schema',
  ),
  database: {
    urls: secret(
      'DATABASE_URL',
      databaseUrls,
      'PostgreSQL 15 or newer (default: an embedded one); with several servers, the primary is used',
    ),
    directUrls: secret(
      'DATABASE_DIRECT_URL',
      databaseUrls,
      'the server itself when DATABASE_URL is a transaction pooler: for migrations, commands, and the queue without Redis',
    ),
    replicaUrls: secret('DATABASE_REPLICA_URLS', databaseReplicas, 'hot standbys, from which exploration reads figures and maps'),
    poolSize: setting('DATABASE_POOL', integer(2, 1000), '10', 'maximum number of connections per process'),
  },
  redis: settingsWith(['url'], {
    url: secret(
      'REDIS_URL',
      url('redis:', 'rediss:').refine(
        (text) => /^\/?\d*$/.test(new URL(text).pathname),
        'must name the database by number: redis://host:6379/0',
      ),
      'Redis 7 for the job queue, announcements and the key-value store (default: PostgreSQL)',
    ),
    sentinel: settingsWith(['nodes'], {
      nodes: setting('REDIS_SENTINELS', hostsAndPorts, 'Redis sentinels; user, password, database and TLS come from REDIS_URL'),
      name: setting('REDIS_SENTINEL_NAME', text, 'mymaster', 'name of the master at the sentinels'),
      password: secret('REDIS_SENTINEL_PASSWORD', text, 'password of the sentinels themselves'),
    }),
    clusterNodes: setting(
      'REDIS_CLUSTER_NODES',
      hostsAndPorts,
      'some nodes of a Redis Cluster; user, password and TLS come from REDIS_URL',
    ),
    ca: setting('REDIS_CA_FILE', authorities, 'CA certificates of Redis and sentinels, instead of those of the system'),
    prefix: setting('REDIS_PREFIX', textOf(/^[\w{}.-]+$/, 'letters, digits, _ . - and braces'), 'civigraph', 'prefix of every Redis key'),
  }),
  modelsFolder: setting('MODELS_DIR', folder, 'folder of installed models (default: DATA_DIR/models)'),
  onnxExecutionProviders: setting('ONNX_EXECUTION_PROVIDERS', list, 'cpu', 'execution providers of ONNX Runtime in order of preference'),
  geocoder: {
    url: setting('GEOCODER_URL', webUrl, 'Nominatim server (default: an offline list of towns)'),
    countries: setting(
      'GEOCODER_COUNTRIES',
      countries,
      '',
      'countries whose places are preferred among those with the same name (ISO 3166 alpha-2)',
    ),
  },
  languageModel: settingsWith(['url', 'model'], {
    url: setting(
      'LLM_URL',
      webUrl,
      'base URL of an OpenAI-compatible API (https://host/v1) that classifies topic and sentiment of redacted texts',
    ),
    model: setting('LLM_MODEL', text, 'name of the language model, required with LLM_URL'),
    apiKey: secret('LLM_API_KEY', text, 'API key for LLM_URL, if it requires one'),
    limitMs: setting(
      'LLM_TIMEOUT_MS',
      milliseconds(100, 60_000),
      '4000',
      'maximum time that an expression waits for the language model; at most 60 % of REQUEST_TIMEOUT_MS',
    ),
  }),
}

export const searchIndexSettings = {
  elasticsearch: settingsWith(['url'], {
    url: secret('ELASTICSEARCH_URL', webUrls, 'Elasticsearch 9 for the search index (default: LanceDB in DATA_DIR)'),
    apiKey: secret('ELASTICSEARCH_API_KEY', text, 'API key, encoded as Elasticsearch returns it; replaces user and password'),
    ca: setting('ELASTICSEARCH_CA_FILE', authorities, 'CA certificates of Elasticsearch, instead of those of the system'),
    shards: setting('ELASTICSEARCH_SHARDS', integer(1, 1024), 'number of shards of each new index (default: 1)'),
    replicas: setting(
      'ELASTICSEARCH_REPLICAS',
      integer(0, 10),
      'number of replicas of each shard of a new index (default: one if there is a second node)',
    ),
    prefix: setting(
      'ELASTICSEARCH_PREFIX',
      textOf(/^[a-z0-9][a-z0-9-]{0,62}$/, 'lower-case letters, digits and -'),
      'civigraph',
      'prefix of every index and alias in Elasticsearch',
    ),
  }),
}

export const contentStoreSettings = {
  cassandra: settingsWith(['contactPoints'], {
    contactPoints: setting(
      'CASSANDRA_CONTACT_POINTS',
      list,
      'nodes of Apache Cassandra 5 for content trees, all on one port (default: PostgreSQL)',
    ),
    username: setting('CASSANDRA_USERNAME', text, 'user name for Cassandra, if it requires one'),
    password: secret('CASSANDRA_PASSWORD', text, 'password of CASSANDRA_USERNAME'),
    tls: setting('CASSANDRA_TLS', onOrOff, 'off', 'whether to connect to Cassandra over TLS'),
    ca: setting('CASSANDRA_CA_FILE', authorities, 'CA certificates of Cassandra, instead of those of the system'),
    localDataCenter: setting('CASSANDRA_LOCAL_DATACENTER', text, 'datacenter1', 'local data centre of this process'),
    keyspace: setting(
      'CASSANDRA_KEYSPACE',
      textOf(/^[a-z][a-z0-9_]{0,47}$/, 'lower-case letters, digits and _'),
      'civigraph',
      'Cassandra keyspace, created if it does not exist',
    ),
    replication: setting(
      'CASSANDRA_REPLICATION',
      replication,
      'replicas of a new keyspace per data centre (default: one per node of the local data centre, at most three)',
    ),
    consistency: setting(
      'CASSANDRA_CONSISTENCY',
      oneOf('local_quorum', 'quorum'),
      'local_quorum',
      'consistency level of reads and writes; quorum in all processes when several data centres write',
    ),
  }),
}
