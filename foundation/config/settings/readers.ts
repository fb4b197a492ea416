import type { settingChapters } from '../settings.ts'

type Chapter = keyof typeof settingChapters

/** Roles that read the settings of a chapter unless an exception names others, in the words of `npm start -- ROLE`. */
export const readersOfChapters: Readonly<Record<Chapter, string>> = {
  'The process': 'all',
  'What clients call': 'gateway, rest',
  'Backing services': 'all, commands',
  'The search index': 'subgraph:classification, worker:classification, subgraph:exploration, commands',
  'The content store': 'subgraph:content, commands',
  Administrators: 'gateway, rest, subgraph:administration',
  Verification: 'subgraph:verification, worker:verification',
  'Expressions and their exploration': 'subgraph:classification',
  Content: 'subgraph:content',
}

/** Settings that other roles read than the rest of their chapter, by the start of their names. */
const exceptions: readonly (readonly [start: string, roles: string])[] = [
  ['TLS_', 'gateway, rest'],
  ['ACCESS_LOG', 'gateway, rest, subgraph'],
  ['DEMO_DATA', 'all roles in one process'],
  ['REST_PUBLIC_URLS', 'subgraph:verification, subgraph:content, rest:exploration'],
  ['SUPERGRAPH_', 'gateway'],
  ['OVERRIDE_', 'gateway'],
  ['PROPAGATE_HEADERS', 'gateway'],
  ['AUTHORIZATION_', 'gateway'],
  ['POLICY_', 'gateway'],
  ['PRINCIPAL_SIGNING_KEY', 'gateway, rest, subgraph'],
  ['MAX_BATCH_BODY_MB', 'rest:verification, subgraph'],
  ['MAX_IMPORT_MB', 'rest:content, rest:administration'],
  ['OVERLOAD_WAIT_MS', 'gateway, rest, subgraph'],
  ['REQUEST_TIMEOUT_MS', 'gateway, rest, subgraph'],
  ['DRAIN_DELAY_MS', 'gateway, rest, subgraph'],
  ['DATABASE_REPLICA_URLS', 'subgraph:exploration'],
  ['VAULT_KEY', 'all, commands'],
  ['VAULT_DIR', 'subgraph:verification, worker:verification, commands'],
  ['VERIFICATION_API_KEYS', 'gateway, rest, subgraph:administration'],
  ['CALLBACK_SECRETS', 'worker:verification'],
  ['VERIFICATION_', 'worker:verification'],
  ['RESULT_RETENTION_DAYS', 'worker:verification'],
  ['REVIEW_FOUR_EYES', 'subgraph:verification'],
  ['REVIEW_UNDO_MINUTES', 'subgraph:verification'],
  ['CONSOLE_IDLE_MINUTES', 'rest:administration'],
  ['MAX_BATCH_JOBS', 'subgraph:verification, rest:verification'],
  ['PSEUDONYM_KEY', 'subgraph:verification, subgraph:administration, subgraph:classification, subgraph:exploration, commands'],
  ['EXPRESSION_KEY', 'subgraph:classification, commands'],
  ['INGEST_AUTH', 'rest:classification, subgraph:classification'],
  ['STREAM_CLIENTS', 'rest:classification'],
  ['DISTRICTS_FILE', 'subgraph:exploration, worker:exploration'],
  ['PUBLIC_', 'subgraph:exploration'],
  ['TILES_', 'rest:exploration'],
  ['TIMEZONE', 'subgraph:exploration, worker:exploration, subgraph:classification'],
]

/** Returns the roles that read a setting. */
export const readersOf = (name: string, chapter: Chapter): string =>
  exceptions.find(([start]) => name.startsWith(start) && !(start === 'PUBLIC_' && name === 'PUBLIC_URL'))?.[1] ?? readersOfChapters[chapter]
