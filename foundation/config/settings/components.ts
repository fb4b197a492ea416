import { apiKeys, callbackSecrets, key32, keyList } from './key-rules.ts'
import { secret, setting } from './setting.ts'
import {
  file,
  folder,
  integer,
  mebibytes,
  milliseconds,
  numbersByName,
  oneOf,
  onOrOff,
  tenants,
  text,
  tilesUrl,
  timeZone,
} from './setting-rules.ts'

export const verificationSettings = {
  vaultKey: secret('VAULT_KEY', key32, 'encrypts the images and results of verification jobs at rest; 32 bytes in base64'),
  previousVaultKeys: secret(
    'VAULT_KEY_PREVIOUS',
    keyList,
    'previous values of VAULT_KEY, comma separated: they decrypt older content until "npm run civigraph -- keys rewrap" has encrypted it with the current key and 24 hours have passed',
  ),
  vaultFolder: setting(
    'VAULT_DIR',
    folder,
    'shared folder for encrypted images, visible to every verification process (default: images are stored in PostgreSQL)',
  ),
  verification: {
    apiKeys: secret(
      'VERIFICATION_API_KEYS',
      apiKeys,
      'name:sha256hex[:scope+scope],…: keys of verification clients, in addition to those of "npm run civigraph -- keys" (development: one is generated)',
    ),
    callbackSecrets: secret(
      'CALLBACK_SECRETS',
      callbackSecrets,
      'name:whsec_base64[+whsec_base64],…: secrets that sign the callbacks of a key; two during a rotation',
    ),
    concurrency: setting('VERIFICATION_CONCURRENCY', integer(1, 64), '2', 'verification jobs that one worker runs at once'),
    thresholds: setting(
      'VERIFICATION_THRESHOLDS',
      numbersByName,
      '',
      'name=number,…: thresholds of the verification rules that differ from docs/evaluation/thresholds.md, such as faceSame=0.45',
    ),
    sealCertificates: setting(
      'VERIFICATION_SEAL_CERTIFICATES',
      folder,
      'folder with the certificates that verify digital seals (2D-Doc barcodes) on documents; each file is named after its certificate id, such as FR03AV01.pem (default: no seal is verified)',
    ),
    resultRetentionDays: setting(
      'RESULT_RETENTION_DAYS',
      integer(1, 3650, 'days'),
      'days until an unacknowledged result is deleted (default: never)',
    ),
    outcomeRetentionDays: setting(
      'OUTCOME_RETENTION_DAYS',
      integer(0, 3650, 'days'),
      '90',
      'days after an acknowledgement in which administrators can see outcome and reasons of a job, without images and scores; 0: not at all',
    ),
    review: {
      retentionDays: setting(
        'REVIEW_RETENTION_DAYS',
        integer(0, 365, 'days'),
        '0',
        'days that the encrypted images of jobs under review are kept for reviewers; 0: they are erased with the result',
      ),
      fourEyes: setting('REVIEW_FOUR_EYES', onOrOff, 'off', 'whether a job under review needs the same decision from two reviewers'),
      undoMinutes: setting(
        'REVIEW_UNDO_MINUTES',
        integer(0, 1440, 'minutes'),
        '10',
        'minutes in which a reviewer can undo a decision, before its result is sent and the images are erased; 0: decisions are final at once',
      ),
    },
    deduplication: {
      isOn: setting(
        'DEDUPLICATION',
        onOrOff,
        'off',
        'whether the encrypted faces of verified citizens are stored; a verification of the same person under another citizen_code of the same key then goes to review. All verification workers need the same value',
      ),
      key: secret('DEDUPLICATION_KEY', key32, 'encrypts the faces that DEDUPLICATION stores; 32 bytes in base64, different from VAULT_KEY'),
      previousKeys: secret(
        'DEDUPLICATION_KEY_PREVIOUS',
        keyList,
        'previous values of DEDUPLICATION_KEY, comma separated: they decrypt older faces until "npm run civigraph -- keys rewrap" has encrypted them with the current key',
      ),
    },
    maxBatchJobs: setting('MAX_BATCH_JOBS', integer(1, 10_000), '100', 'maximum number of jobs in a batch'),
  },
}

export const expressionSettings = {
  pseudonymKey: secret(
    'PSEUDONYM_KEY',
    key32,
    'computes the pseudonyms of authors, voters and citizens; 32 bytes in base64. Never change it: authors, voters and erased citizens would no longer be recognised',
  ),
  expressionKey: secret(
    'EXPRESSION_KEY',
    key32,
    'computes the ids of expressions that clients may send again; 32 bytes in base64. Never change it: an expression sent again would be stored twice',
  ),
  ingest: {
    auth: setting(
      'INGEST_AUTH',
      oneOf('open', 'token', 'key'),
      'open',
      'who may send expressions: anonymous callers too (open), users (token), or users and services (key)',
    ),
    perMinute: setting(
      'INGEST_RATE',
      integer(1, 1_000_000),
      '60',
      'expressions per minute and client address (development: no limit on this machine)',
    ),
  },
  stream: {
    clients: setting('STREAM_CLIENTS', integer(1, 1_000_000), '10000', 'maximum number of connections to /ws per process'),
    clientsPerUser: setting(
      'STREAM_CLIENTS_PER_USER',
      integer(1, 1_000_000),
      '100',
      'maximum number of connections to /ws per user and process',
    ),
  },
  exploration: {
    districtsFile: setting(
      'DISTRICTS_FILE',
      file,
      'outlines of districts, a GeoJSON FeatureCollection of polygons (docs/components/exploration.md): figures are then reported per district',
    ),
    publicVoting: {
      isOn: setting(
        'PUBLIC_VOTING',
        onOrOff,
        'whether browsers may vote without signing in; such votes are counted separately, as unverified, and no headline figure includes them (default: on in development, off in production)',
      ),
      perMinute: setting(
        'PUBLIC_VOTE_RATE',
        integer(1, 1_000_000),
        '60',
        'votes without signing in, changed votes included, per minute and client address (development: no limit on this machine)',
      ),
      votersPerExpression: setting(
        'PUBLIC_VOTERS_PER_EXPRESSION',
        integer(1, 10_000),
        '5',
        'new voters without signing in per expression, day (UTC) and client address (IPv6: /64); people behind one router share the limit',
      ),
      votersPerDay: setting(
        'PUBLIC_VOTERS_PER_DAY',
        integer(1, 1_000_000),
        '50',
        'new voters without signing in per day (UTC) and client address (IPv6: /64), for all expressions together',
      ),
    },
    tilesUrl: setting(
      'TILES_URL',
      tilesUrl,
      'base map of the explorer: raster tiles (…/{z}/{x}/{y}.png), a MapLibre style (….json) or an archive (….pmtiles); default: built-in country outlines',
    ),
    tilesCredit: setting('TILES_CREDIT', text, 'attribution that the map shows for TILES_URL'),
  },
  timezone: setting(
    'TIMEZONE',
    timeZone,
    'UTC',
    'time zone that defines the days of exploration figures; after a change the figures are counted again',
  ),
}

export const contentSettings = {
  content: {
    snapshotFolder: setting(
      'CONTENT_SNAPSHOT',
      folder,
      'folder of the content snapshots that are read while the content store is unavailable (default: DATA_DIR/content-snapshot)',
    ),
    fallback: setting(
      'CONTENT_FALLBACK',
      text,
      'file or folder with content to read while the content store is unavailable and the process has no snapshot of its own: an export (JSON or NDJSON) of one tenant, or a folder with <tenant>.json or <tenant>.ndjson for each; several processes may share it (default: none)',
    ),
    privateTenants: setting(
      'PRIVATE_TENANTS',
      tenants,
      '',
      'tenants whose content is read with a role or a signed link only, comma separated; the same on all processes of subgraph:content',
    ),
    trashDays: setting(
      'CONTENT_TRASH_DAYS',
      integer(1, 3650, 'days'),
      '30',
      'days that deleted content can be restored; then it is deleted permanently',
    ),
    /** for one PDF */
    pdf: {
      memoryBytes: setting(
        'PDF_MEMORY_MB',
        mebibytes(384, 65_536),
        '2048',
        'memory limit for making one PDF of content, in MiB; it also limits the size of the content',
      ),
      timeMs: setting('PDF_TIMEOUT_MS', milliseconds(1000, 600_000), '60000', 'time limit for making one PDF'),
    },
  },
}
