import { secret, setting, settingsWith } from '../setting.ts'
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
} from '../setting-rules.ts'

export const engineSettings = {
  migrate: setting(
    'MIGRATE',
    onOrOff,
    'on',
    'on: a start brings tables and indices forward; off: it refuses where some are missing, "civigraph migrate apply" makes them, and roles need no right to change a schema',
  ),
  database: {
    urls: secret(
      'DATABASE_URL',
      databaseUrls,
      'PostgreSQL 15 or newer (default: an embedded one); of several servers the one that takes writes',
    ),
    directUrls: secret(
      'DATABASE_DIRECT_URL',
      databaseUrls,
      'where DATABASE_URL is a pooler of transactions: the server itself, for what needs a session (migrations, commands, and the queue where there is no Redis)',
    ),
    replicaUrls: secret(
      'DATABASE_REPLICA_URLS',
      databaseReplicas,
      'standbys of it that take reads, with commas between their URLs: figures and maps of exploration are read there, as long as one is not behind what was told',
    ),
    poolSize: setting('DATABASE_POOL', integer(2, 1000), '10', 'most connections of one process'),
  },
  redis: settingsWith(['url'], {
    url: secret(
      'REDIS_URL',
      url('redis:', 'rediss:'),
      'Redis 7 for the job queue, announcements and the key-value store (default: PostgreSQL)',
    ),
    sentinel: settingsWith(['nodes'], {
      nodes: setting(
        'REDIS_SENTINELS',
        hostsAndPorts,
        'sentinels that know which Redis is the master; REDIS_URL says with which user, password, database and TLS it is spoken to',
      ),
      name: setting('REDIS_SENTINEL_NAME', text, 'mymaster', 'what they call the master'),
      password: secret('REDIS_SENTINEL_PASSWORD', text, 'of the sentinels themselves'),
    }),
    clusterNodes: setting(
      'REDIS_CLUSTER_NODES',
      hostsAndPorts,
      'some nodes of a Redis Cluster, which tell of the others; REDIS_URL says with which user, password and TLS they are spoken to',
    ),
    ca: setting(
      'REDIS_CA_FILE',
      authorities,
      'certificates of the authorities that Redis, its sentinels and nodes are trusted by, and no others (rediss://)',
    ),
    prefix: setting('REDIS_PREFIX', textOf(/^[\w{}.-]+$/, 'letters, digits, _ . - and braces'), 'civigraph', 'prefix of every Redis key'),
  }),
  elasticsearch: settingsWith(['url'], {
    url: secret(
      'ELASTICSEARCH_URL',
      webUrls,
      'Elasticsearch 9 for the search index, with user:password@ where it asks for them; several nodes with commas between them (default: LanceDB in DATA_DIR)',
    ),
    apiKey: secret('ELASTICSEARCH_API_KEY', text, 'a key of its security, encoded as it gives them, in place of a user and a password'),
    ca: setting(
      'ELASTICSEARCH_CA_FILE',
      authorities,
      'certificates of the authorities that its nodes are trusted by, and no others (https://)',
    ),
    shards: setting('ELASTICSEARCH_SHARDS', integer(1, 1024), 'parts of each index that is made from now on (default: 1)'),
    replicas: setting(
      'ELASTICSEARCH_REPLICAS',
      integer(0, 10),
      'copies of each part of an index that is made from now on (default: one wherever there is a second node)',
    ),
    prefix: setting(
      'ELASTICSEARCH_PREFIX',
      textOf(/^[a-z0-9][a-z0-9-]{0,62}$/, 'small letters, digits and -'),
      'civigraph',
      'prefix of every index and alias there',
    ),
  }),
  cassandra: settingsWith(['contactPoints'], {
    contactPoints: setting(
      'CASSANDRA_CONTACT_POINTS',
      list,
      'host:port,…: Apache Cassandra 5 for the trees of content; several nodes, all on one port (default: PostgreSQL)',
    ),
    username: setting('CASSANDRA_USERNAME', text, 'its user, where it asks for one'),
    password: secret('CASSANDRA_PASSWORD', text, 'the password of that user'),
    tls: setting(
      'CASSANDRA_TLS',
      onOrOff,
      'off',
      'whether it is spoken to over TLS; its certificate must be of a known authority (CASSANDRA_CA_FILE, NODE_EXTRA_CA_CERTS) and of its address',
    ),
    ca: setting(
      'CASSANDRA_CA_FILE',
      authorities,
      'certificates of the authorities that its nodes are trusted by, and no others (CASSANDRA_TLS)',
    ),
    localDataCenter: setting('CASSANDRA_LOCAL_DATACENTER', text, 'datacenter1', 'its data centre that is near'),
    keyspace: setting(
      'CASSANDRA_KEYSPACE',
      textOf(/^[a-z][a-z0-9_]{0,47}$/, 'small letters, digits and _'),
      'civigraph',
      'its keyspace; when it is not there it is made, with replicas as CASSANDRA_REPLICATION says',
    ),
    replication: setting(
      'CASSANDRA_REPLICATION',
      replication,
      'name:number,…: replicas of a new keyspace by data centre (default: one on each node of the near one, three at most)',
    ),
    consistency: setting(
      'CASSANDRA_CONSISTENCY',
      oneOf('local_quorum', 'quorum'),
      'local_quorum',
      'whose answer reads and writes wait for: a quorum of the near data centre, or of all of them, which all processes need where some write in several',
    ),
  }),
  modelsFolder: setting(
    'MODELS_DIR',
    folder,
    'folder of the models that "npm run civigraph -- models pull" installs (default: DATA_DIR/models)',
  ),
  onnxExecutionProviders: setting('ONNX_EXECUTION_PROVIDERS', list, 'cpu', 'onnxruntime execution providers in order of preference'),
  geocoder: {
    url: setting(
      'GEOCODER_URL',
      webUrl,
      'a Nominatim, such as https://nominatim.openstreetmap.org, that finds places (default: an offline list of towns)',
    ),
    countries: setting(
      'GEOCODER_COUNTRIES',
      countries,
      '',
      'ISO 3166 alpha-2 codes, comma separated: places in these countries are meant before others of the same name',
    ),
  },
  languageModel: settingsWith(['url', 'model'], {
    url: setting(
      'LLM_URL',
      webUrl,
      'address of an OpenAI-compatible API, such as https://host/v1: a language model then judges topic and sentiment; texts go there without personal data',
    ),
    model: setting('LLM_MODEL', text, 'its model, needed with LLM_URL'),
    apiKey: secret('LLM_API_KEY', text, 'its key, when it asks for one'),
    limitMs: setting(
      'LLM_TIMEOUT_MS',
      milliseconds(100, 60_000),
      '4000',
      'longest time that an expression waits for the language model; at most 60 % of REQUEST_TIMEOUT_MS',
    ),
  }),
}
