import { apiKeys, callbackSecrets, key32, keyList } from '../key-rules.ts'
import { secret, setting } from '../setting.ts'
import {
  file,
  folder,
  integer,
  mebibytes,
  milliseconds,
  numbersByName,
  oneOf,
  onOrOff,
  text,
  tilesUrl,
  timeZone,
} from '../setting-rules.ts'

export const verificationSettings = {
  vaultKey: secret('VAULT_KEY', key32, 'seals the images and results of verification jobs at rest; 32 bytes in base64'),
  previousVaultKeys: secret(
    'VAULT_KEY_PREVIOUS',
    keyList,
    'VAULT_KEYs of before, comma separated: they open what they sealed until "npm run civigraph -- keys rewrap" has sealed it anew, and 24 hours are over',
  ),
  vaultFolder: setting(
    'VAULT_DIR',
    folder,
    'folder, seen by every process of verification, in which sealed images are kept as files (default: in PostgreSQL)',
  ),
  verification: {
    apiKeys: secret(
      'VERIFICATION_API_KEYS',
      apiKeys,
      'name:sha256hex[:scope+scope],…: keys of verification clients beside those of "npm run civigraph -- keys" (development: one is generated)',
    ),
    callbackSecrets: secret(
      'CALLBACK_SECRETS',
      callbackSecrets,
      'name:whsec_base64[+whsec_base64],…: what the callbacks of a key are signed with, two while one replaces the other',
    ),
    concurrency: setting('VERIFICATION_CONCURRENCY', integer(1, 64), '2', 'verification jobs that one worker runs at once'),
    thresholds: setting(
      'VERIFICATION_THRESHOLDS',
      numbersByName,
      '',
      'name=number,…: lines that the rules of verification draw elsewhere than docs/evaluation/thresholds.md says, such as faceSame=0.45',
    ),
    sealCertificates: setting(
      'VERIFICATION_SEAL_CERTIFICATES',
      folder,
      'folder with the certificates by which seals in barcodes of documents (2D-Doc) are verified, each named as seals name it, such as FR03AV01.pem (default: none is verified)',
    ),
    resultRetentionDays: setting(
      'RESULT_RETENTION_DAYS',
      integer(1, 3650, 'days'),
      'drop results that nobody acknowledged after so many days (default: never)',
    ),
    review: {
      retentionDays: setting(
        'REVIEW_RETENTION_DAYS',
        integer(0, 365, 'days'),
        '0',
        'keep the sealed images of what is left to a person for so many days, so that a reviewer can decide (0: they are erased with the result)',
      ),
      fourEyes: setting('REVIEW_FOUR_EYES', onOrOff, 'off', 'whether two people must decide alike on a job under review'),
    },
    deduplication: {
      isOn: setting(
        'DEDUPLICATION',
        onOrOff,
        'off',
        'whether the faces of verified citizens are kept, sealed, and the same person under another citizen_code of the same key is left to a person; the same for all workers of verification',
      ),
      key: secret('DEDUPLICATION_KEY', key32, 'seals the faces that DEDUPLICATION keeps; 32 bytes in base64, another than VAULT_KEY'),
      previousKeys: secret(
        'DEDUPLICATION_KEY_PREVIOUS',
        keyList,
        'DEDUPLICATION_KEYs of before, comma separated: they open what they sealed until "npm run civigraph -- keys rewrap" has sealed it anew',
      ),
    },
    maxBatchJobs: setting('MAX_BATCH_JOBS', integer(1, 10_000), '100', 'most jobs in one batch'),
  },
}

export const expressionSettings = {
  pseudonymKey: secret(
    'PSEUDONYM_KEY',
    key32,
    'makes pseudonyms of who says and votes what; never changed, or nobody is recognised again; 32 bytes in base64',
  ),
  expressionKey: secret(
    'EXPRESSION_KEY',
    key32,
    'computes the ids of expressions that may be sent again; never changed, or what was sent before is taken in a second time; 32 bytes in base64',
  ),
  ingest: {
    auth: setting(
      'INGEST_AUTH',
      oneOf('open', 'token', 'key'),
      'open',
      'who may send expressions: everybody, users, or users and services',
    ),
    perMinute: setting(
      'INGEST_RATE',
      integer(1, 1_000_000),
      '60',
      'expressions a minute that one address may send (development: this machine is unlimited)',
    ),
  },
  stream: {
    clients: setting('STREAM_CLIENTS', integer(1, 1_000_000), '10000', 'connections to /ws that one process takes at once'),
    clientsPerUser: setting('STREAM_CLIENTS_PER_USER', integer(1, 1_000_000), '100', 'those of one user'),
  },
  exploration: {
    districtsFile: setting(
      'DISTRICTS_FILE',
      file,
      'outlines of districts, a GeoJSON FeatureCollection of polygons (docs/components/exploration.md): figures are told for each',
    ),
    publicVoting: {
      isOn: setting(
        'PUBLIC_VOTING',
        onOrOff,
        'whether browsers may vote without signing in; such votes are counted apart, as unverified, and no headline figure contains them (default: on in development, off in production)',
      ),
      perMinute: setting(
        'PUBLIC_VOTE_RATE',
        integer(1, 1_000_000),
        '60',
        'such votes, changed ones included, that one address may cast a minute (development: this machine is unlimited)',
      ),
      votersPerExpression: setting(
        'PUBLIC_VOTERS_PER_EXPRESSION',
        integer(1, 10_000),
        '5',
        'voters without signing in that one address (IPv6: its /64) may create a day (UTC) on one expression; people behind one router share them',
      ),
      votersPerDay: setting(
        'PUBLIC_VOTERS_PER_DAY',
        integer(1, 1_000_000),
        '50',
        'voters without signing in that one address (IPv6: its /64) may create a day (UTC) on all expressions together',
      ),
    },
    tilesUrl: setting(
      'TILES_URL',
      tilesUrl,
      'map under what the explorer shows: raster tiles (…/{z}/{x}/{y}.png), a style of MapLibre (….json) or an archive (….pmtiles); default: country outlines of its own',
    ),
    tilesCredit: setting('TILES_CREDIT', text, 'whom the map names as the source of TILES_URL'),
  },
  timezone: setting(
    'TIMEZONE',
    timeZone,
    'UTC',
    'time zone whose days the figures of exploration are of; after a change they are counted anew',
  ),
}

export const contentSettings = {
  content: {
    snapshotFolder: setting(
      'CONTENT_SNAPSHOT',
      folder,
      'folder of the copies of content that are read while its store is away (default: DATA_DIR/content-snapshot)',
    ),
    trashDays: setting(
      'CONTENT_TRASH_DAYS',
      integer(1, 3650, 'days'),
      '30',
      'how long deleted content can be restored; then it is removed for ever',
    ),
    /** for one PDF */
    pdf: {
      memoryBytes: setting(
        'PDF_MEMORY_MB',
        mebibytes(384, 65_536),
        '2048',
        'memory that making one PDF of content may take; how much it may hold follows from it',
      ),
      timeMs: setting('PDF_TIMEOUT_MS', milliseconds(1000, 600_000), '60000', 'longest time that making one PDF may take'),
    },
  },
}
