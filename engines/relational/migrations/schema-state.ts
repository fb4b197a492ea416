import type { SchemaStatus } from '../../../foundation/engine-start/engine-schema.ts'
import { type AppliedMigration, recordStatement } from './applied-migrations.ts'
import type { MigrationFile } from './migration-files.ts'

/** The comparison of the migration files of this release with the record in the database. */
export interface SchemaState {
  /** `major.number`: newest release that changed the schema, and its newest migration; undefined for an empty database */
  readonly version: string | undefined
  readonly applied: readonly AppliedMigration[]
  /** in order, including interrupted ones */
  readonly pending: readonly MigrationFile[]
  readonly unfinished: readonly AppliedMigration[]
  readonly contracts: readonly MigrationFile[]
  readonly newer: readonly AppliedMigration[]
  readonly problems: readonly string[]
}

const majorOf = (release: string): number => Number.parseInt(release, 10)

/** @param release - of this process, such as 1.4.0 */
export function compareSchema(files: readonly MigrationFile[], record: readonly AppliedMigration[], release: string): SchemaState {
  const applied = record.filter(({ isFinished }) => isFinished)
  const unfinished = record.filter(({ isFinished }) => !isFinished)
  const isMissing = ({ number }: MigrationFile): boolean => !applied.some((row) => row.number === number)
  const missing = files.filter(isMissing)
  const lastFile = files.at(-1)?.number ?? 0
  const major = Math.max(...record.map((row) => majorOf(row.release)))
  const last = Math.max(...record.map(({ number }) => number))
  const version = record.length === 0 ? undefined : `${major}.${last}`
  return {
    version,
    applied,
    pending: missing.filter(({ phase }) => phase === 'expand'),
    contracts: missing.filter(({ phase }) => phase === 'contract'),
    unfinished,
    newer: record.filter(({ number }) => number > lastFile),
    problems: [...majorProblems(major, version, release), ...recordProblems(files, applied, lastFile, release)],
  }
}

function majorProblems(major: number, version: string | undefined, release: string): readonly string[] {
  if (version === undefined || major <= majorOf(release)) return []
  return [
    `the schema has version ${version}, but this is release ${release}: start release ${major}, or restore a backup from before the upgrade`,
  ]
}

function recordProblems(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
  lastFile: number,
  release: string,
): readonly string[] {
  const released = applied.flatMap((row) => {
    const file = files.find(({ number }) => number === row.number)
    if (file === undefined) return row.number > lastFile ? [] : [`${row.name} was applied but is missing in this release`]
    return file.sha256 === row.sha256 ? [] : [`${row.name} was changed after it was applied`]
  })
  const numberOfLastExpansion = Math.max(
    0,
    ...files.filter(({ phase, number }) => phase === 'expand' && applied.some((row) => row.number === number)).map(({ number }) => number),
  )
  // a contract migration may be applied after later expand migrations
  const tooLate = files.filter(
    ({ number, phase }) => phase === 'expand' && number < numberOfLastExpansion && !applied.some((row) => row.number === number),
  )
  const lost = 'was not applied, but later ones were; if only its record was lost, restore it'
  return [...released, ...tooLate.map((file) => `${file.name} ${lost}: ${recordStatement(file, release)}`)]
}

/** Converts to the status that all engines share. */
export function statusOf({ version, applied, pending, unfinished, contracts, newer, problems }: SchemaState): SchemaStatus {
  const howOf = ({ number, concurrently }: MigrationFile): string => {
    const begun = unfinished.find((row) => row.number === number)
    if (begun !== undefined)
      return `started at ${begun.startedAt.toISOString()} by release ${begun.release} and interrupted: the next apply completes it`
    return concurrently === undefined ? 'in a transaction' : 'concurrently, outside of a transaction'
  }
  return {
    ...(version === undefined ? {} : { version }),
    applied: applied.length,
    pending: pending.map((file) => ({ name: file.name, how: howOf(file) })),
    contracts: contracts.map(({ name }) => name),
    newer: newer.map(({ name, release }) => `${name}, applied by release ${release}`),
    problems,
  }
}
