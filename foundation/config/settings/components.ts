import { apiKeys, callbackSecrets, key32, keyList } from './key-rules.ts'
import { secret, setting } from './setting.ts'
import {
  file,
  folder,
  fraction,
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
  vaultKey: secret('VAULT_KEY', key32, 'encrypts the images and results of verification jobs at rest'),
  previousVaultKeys: secret('VAULT_KEY_PREVIOUS', keyList, 'previous values of VAULT_KEY during a rotation'),
  vaultFolder: setting('VAULT_DIR', folder, 'shared folder for encrypted images (default: PostgreSQL)'),
  verification: {
    apiKeys: secret(
      'VERIFICATION_API_KEYS',
      apiKeys,
      'keys of clients, in addition to those of "npm run civigraph -- keys" (development: one is generated)',
    ),
    callbackSecrets: secret('CALLBACK_SECRETS', callbackSecrets, 'secrets that sign the callbacks of a key; two during a rotation'),
    concurrency: setting('VERIFICATION_CONCURRENCY', integer(1, 64), '2', 'verification jobs that one worker runs at once'),
    thresholds: setting(
      'VERIFICATION_THRESHOLDS',
      numbersByName,
      '',
      'thresholds that differ from docs/evaluation/thresholds.md, such as faceSame=0.45',
    ),
    sealCertificates: setting(
      'VERIFICATION_SEAL_CERTIFICATES',
      folder,
      'certificates that verify the signatures of 2D-Doc barcodes, each file named by the ids of authority and certificate, such as FR03AV01.pem (default: signatures are not verified)',
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
      'days after an acknowledgement in which administrators can see outcome and reasons of a job',
    ),
    review: {
      retentionDays: setting(
        'REVIEW_RETENTION_DAYS',
        integer(0, 365, 'days'),
        '0',
        'days that the encrypted images of jobs under review are retained; 0: no review',
      ),
      fourEyes: setting('REVIEW_FOUR_EYES', onOrOff, 'off', 'whether a job under review needs the same decision from two reviewers'),
      undoMinutes: setting('REVIEW_UNDO_MINUTES', integer(0, 1440, 'minutes'), '10', 'minutes in which a reviewer can undo a decision'),
    },
    deduplication: {
      isOn: setting(
        'DEDUPLICATION',
        onOrOff,
        'off',
        'whether faces of verified citizens are stored to find the same person under another citizen_code; equal on all verification workers',
      ),
      key: secret('DEDUPLICATION_KEY', key32, 'encrypts the faces that DEDUPLICATION stores'),
      previousKeys: secret('DEDUPLICATION_KEY_PREVIOUS', keyList, 'previous values of DEDUPLICATION_KEY during a rotation'),
    },
    maxBatchJobs: setting('MAX_BATCH_JOBS', integer(1, 10_000), '100', 'maximum number of jobs in a batch'),
  },
}

export const expressionSettings = {
  pseudonymKey: secret('PSEUDONYM_KEY', key32, 'computes the pseudonyms of authors, voters and citizens; never change it'),
  expressionKey: secret('EXPRESSION_KEY', key32, 'computes the ids of repeatable expressions; never change it'),
  ingest: {
    auth: setting(
      'INGEST_AUTH',
      oneOf('open', 'token', 'key'),
      'open',
      'who may send expressions: everyone (open), users (token), or users and services (key)',
    ),
    perMinute: setting(
      'INGEST_RATE',
      integer(1, 1_000_000),
      '60',
      'expressions per minute and client address (development: no limit on this machine)',
    ),
  },
  moderation: {
    mode: setting(
      'MODERATION',
      oneOf('flag', 'hold'),
      'flag',
      'what happens to expressions above MODERATION_THRESHOLD: published and listed for moderation (flag), or not published until a super_admin releases them (hold). The same on all processes of subgraph:classification and worker:classification',
    ),
    threshold: setting(
      'MODERATION_THRESHOLD',
      fraction,
      '0.5',
      'toxicity from which an expression is flagged or held; an insult has 0.6, a threat 0.8',
    ),
    undoDays: setting(
      'MODERATION_UNDO_DAYS',
      integer(1, 365, 'days'),
      '30',
      'days in which a withdrawal can be undone; then the text, the decision and the reports are deleted',
    ),
    reportsPerHour: setting(
      'REPORT_RATE',
      integer(1, 1_000_000),
      '20',
      'reports of expressions per hour and client address, and per hour and account (development: no limit on this machine for readers without an account)',
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
      'outlines of districts, a GeoJSON FeatureCollection of polygons (docs/components/exploration.md)',
    ),
    publicVoting: {
      isOn: setting(
        'PUBLIC_VOTING',
        onOrOff,
        'whether browsers may vote without signing in, as unverified (default: on in development, off in production)',
      ),
      perMinute: setting(
        'PUBLIC_VOTE_RATE',
        integer(1, 1_000_000),
        '60',
        'votes without signing in per minute and client address (development: no limit on this machine)',
      ),
      votersPerExpression: setting(
        'PUBLIC_VOTERS_PER_EXPRESSION',
        integer(1, 10_000),
        '5',
        'new voters without signing in per expression, day (UTC) and client address (IPv6: /64)',
      ),
      votersPerDay: setting(
        'PUBLIC_VOTERS_PER_DAY',
        integer(1, 1_000_000),
        '50',
        'new voters without signing in per day (UTC) and client address (IPv6: /64)',
      ),
    },
    tilesUrl: setting(
      'TILES_URL',
      tilesUrl,
      'base map of the explorer: raster tiles, a MapLibre style or an archive (default: country outlines)',
    ),
    tilesCredit: setting('TILES_CREDIT', text, 'attribution that the map shows for TILES_URL'),
  },
  timezone: setting('TIMEZONE', timeZone, 'UTC', 'time zone of the days of exploration figures'),
}

export const contentSettings = {
  content: {
    snapshotFolder: setting(
      'CONTENT_SNAPSHOT',
      folder,
      'snapshots that are read while the content store is unavailable (default: DATA_DIR/content-snapshot)',
    ),
    fallback: setting(
      'CONTENT_FALLBACK',
      text,
      'content to read while the content store is unavailable and no snapshot exists: an export (JSON or NDJSON) of one tenant, or a folder with <tenant>.json or <tenant>.ndjson for each',
    ),
    privateTenants: setting(
      'PRIVATE_TENANTS',
      tenants,
      '',
      'tenants whose content is read with a role or a signed link only; equal on all processes',
    ),
    trashDays: setting('CONTENT_TRASH_DAYS', integer(1, 3650, 'days'), '30', 'days that deleted content can be restored'),
    /** for one PDF */
    pdf: {
      memoryBytes: setting(
        'PDF_MEMORY_MB',
        mebibytes(384, 65_536),
        '2048',
        'memory limit of the process that renders one PDF; it also limits the size of the document',
      ),
      timeMs: setting('PDF_TIMEOUT_MS', milliseconds(1000, 600_000), '60000', 'time limit for one PDF'),
    },
  },
}
