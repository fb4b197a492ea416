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
    'on: the process migrates tables and indices when it starts; off: it refuses to start while a migration is pending, "civigraph migrate apply" runs it, and the roles need no right to change a schema',
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
      'needed when DATABASE_URL is a transaction pooler: the server itself, for work that needs a session (migrations, commands, and the queue when there is no Redis)',
    ),
    replicaUrls: secret(
      'DATABASE_REPLICA_URLS',
      databaseReplicas,
      'URLs of hot standbys, comma separated: exploration reads figures and maps from a standby that is not behind what the client has already seen',
    ),
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
      nodes: setting(
        'REDIS_SENTINELS',
        hostsAndPorts,
        'Redis sentinels, which know the current master; user, password, database and TLS come from REDIS_URL',
      ),
      name: setting('REDIS_SENTINEL_NAME', text, 'mymaster', 'name of the master at the sentinels'),
      password: secret('REDIS_SENTINEL_PASSWORD', text, 'password of the sentinels themselves'),
    }),
    clusterNodes: setting(
      'REDIS_CLUSTER_NODES',
      hostsAndPorts,
      'some nodes of a Redis Cluster, from which the client discovers the others; user, password and TLS come from REDIS_URL',
    ),
    ca: setting(
      'REDIS_CA_FILE',
      authorities,
      'CA certificates that Redis, its sentinels and its cluster nodes are verified against, instead of those of the system (rediss://)',
    ),
    prefix: setting('REDIS_PREFIX', textOf(/^[\w{}.-]+$/, 'letters, digits, _ . - and braces'), 'civigraph', 'prefix of every Redis key'),
  }),
  elasticsearch: settingsWith(['url'], {
    url: secret(
      'ELASTICSEARCH_URL',
      webUrls,
      'Elasticsearch 9 for the search index, with user:password@ if it requires them; several nodes, comma separated (default: LanceDB in DATA_DIR)',
    ),
    apiKey: secret('ELASTICSEARCH_API_KEY', text, 'Elasticsearch API key, encoded as Elasticsearch returns it; replaces user and password'),
    ca: setting(
      'ELASTICSEARCH_CA_FILE',
      authorities,
      'CA certificates that Elasticsearch nodes are verified against, instead of those of the system (https://)',
    ),
    shards: setting('ELASTICSEARCH_SHARDS', integer(1, 1024), 'number of shards of each new index (default: 1)'),
    replicas: setting(
      'ELASTICSEARCH_REPLICAS',
      integer(0, 10),
      'number of replicas of each shard of a new index (default: one if there is a second node)',
    ),
    prefix: setting(
      'ELASTICSEARCH_PREFIX',
      textOf(/^[a-z0-9][a-z0-9-]{0,62}$/, 'small letters, digits and -'),
      'civigraph',
      'prefix of every index and alias in Elasticsearch',
    ),
  }),
  cassandra: settingsWith(['contactPoints'], {
    contactPoints: setting(
      'CASSANDRA_CONTACT_POINTS',
      list,
      'host:port,…: Apache Cassandra 5 for content trees; several nodes, all on one port (default: PostgreSQL)',
    ),
    username: setting('CASSANDRA_USERNAME', text, 'user name for Cassandra, if it requires one'),
    password: secret('CASSANDRA_PASSWORD', text, 'password of CASSANDRA_USERNAME'),
    tls: setting(
      'CASSANDRA_TLS',
      onOrOff,
      'off',
      'whether to connect to Cassandra over TLS; its certificate must match its address and be signed by a trusted CA (CASSANDRA_CA_FILE, NODE_EXTRA_CA_CERTS)',
    ),
    ca: setting(
      'CASSANDRA_CA_FILE',
      authorities,
      'CA certificates that Cassandra nodes are verified against, instead of those of the system (CASSANDRA_TLS)',
    ),
    localDataCenter: setting('CASSANDRA_LOCAL_DATACENTER', text, 'datacenter1', 'local data centre of this process'),
    keyspace: setting(
      'CASSANDRA_KEYSPACE',
      textOf(/^[a-z][a-z0-9_]{0,47}$/, 'small letters, digits and _'),
      'civigraph',
      'Cassandra keyspace; created with CASSANDRA_REPLICATION if it does not exist',
    ),
    replication: setting(
      'CASSANDRA_REPLICATION',
      replication,
      'name:number,…: replicas of a new keyspace per data centre (default: one per node of the local data centre, at most three)',
    ),
    consistency: setting(
      'CASSANDRA_CONSISTENCY',
      oneOf('local_quorum', 'quorum'),
      'local_quorum',
      'consistency level of reads and writes: a quorum of the local data centre or of all data centres. Use quorum in all processes when several data centres write',
    ),
  }),
  modelsFolder: setting(
    'MODELS_DIR',
    folder,
    'folder of the models that "npm run civigraph -- models pull" installs (default: DATA_DIR/models)',
  ),
  onnxExecutionProviders: setting('ONNX_EXECUTION_PROVIDERS', list, 'cpu', 'execution providers of ONNX Runtime in order of preference'),
  geocoder: {
    url: setting(
      'GEOCODER_URL',
      webUrl,
      'Nominatim server that finds places, such as https://nominatim.openstreetmap.org (default: an offline list of towns)',
    ),
    countries: setting(
      'GEOCODER_COUNTRIES',
      countries,
      '',
      'ISO 3166 alpha-2 codes, comma separated: when several places have the same name, one in these countries is preferred',
    ),
  },
  languageModel: settingsWith(['url', 'model'], {
    url: setting(
      'LLM_URL',
      webUrl,
      'base URL of an OpenAI-compatible API, such as https://host/v1: a language model then classifies topic and sentiment; personal data is removed from the texts first',
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
