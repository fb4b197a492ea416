import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * expand: compatible with every release of the same major version, applied before the processes that need it. contract: removes something that an
 * older release needs, applied when none of its processes remains.
 */
export type MigrationPhase = 'expand' | 'contract'

/** An index that is created or dropped without blocking writes. */
export interface ConcurrentStatement {
  readonly text: string
  readonly verb: 'create' | 'drop'
  readonly index: string
}

export interface MigrationFile {
  readonly number: number
  readonly name: string
  readonly phase: MigrationPhase
  readonly content: string
  /** idempotent statements of a file that runs outside a transaction */
  readonly concurrently?: readonly ConcurrentStatement[]
  readonly sha256: string
}

/** files up to this number have no header */
export const lastWithoutHeader = 15

/**
 * Reads every NNNN-name.sql of a folder in order. The first line is a header: `-- migration: expand` or `-- migration: contract`, or `-- migration:
 * expand, concurrently` for indices built outside a transaction.
 * @throws {Error} naming every invalid file
 */
export async function readMigrations(folder: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const files = await Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'))))
  const wrong = files.filter(({ number }, index) => Number.isNaN(number) || number === files[index - 1]?.number)
  if (wrong.length > 0) throw new Error(`Migrations need distinct numbers (NNNN-name.sql): ${wrong.map(({ name }) => name).join(', ')}`)
  return files
}

export function parseMigration(name: string, content: string): MigrationFile {
  const number = Number(/^(\d{4})-/.exec(name)?.[1])
  const [, phase, concurrently] = /^-- migration: (expand|contract)(, concurrently)?\n/.exec(content) ?? []
  if (phase === undefined && number > lastWithoutHeader)
    throw new Error(`${name} must begin with "-- migration: expand" or "-- migration: contract", optionally with ", concurrently"`)
  return {
    number,
    name,
    phase: phase === 'contract' ? 'contract' : 'expand',
    content,
    ...(concurrently === undefined ? {} : { concurrently: concurrentStatements(name, content) }),
    sha256: createHash('sha256').update(content).digest('hex'),
  }
}

const concurrentStatement =
  /^(?:(create)(?: unique)? index concurrently if not exists|(drop) index concurrently if exists) ([a-z_][a-z0-9_]*)(?:\s|$)/

function concurrentStatements(name: string, content: string): readonly ConcurrentStatement[] {
  const texts = content
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((text) => text.trim())
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const [, create, drop, index] = concurrentStatement.exec(text) ?? []
      if (index === undefined)
        throw new Error(
          `${name} may contain only "create index concurrently if not exists NAME …" and "drop index concurrently if exists NAME", each ended by a semicolon at a line's end`,
        )
      return { text, verb: create === undefined && drop !== undefined ? 'drop' : 'create', index }
    })
}
