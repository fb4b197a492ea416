import { basename, resolve } from 'node:path'
import type pg from 'pg'
import type { Database } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { readRecord } from '../../engines/relational/migrations/applied-migrations.ts'
import type { Config } from '../../foundation/config/config.ts'
import { createLog } from '../../foundation/log.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'
import { openExternalTrees } from '../engines/stores.ts'
import { heldKeys } from '../process/keys/keys.ts'
import { type BackupManifest, type TablePart, writeBackup } from './backup/backup-folder.ts'
import { withDedicatedClient } from './backup/dedicated-client.ts'
import { keysOfData } from './backup/platform-keys.ts'
import { copySealedFiles, sealedFilesOf } from './backup/sealed-copies.ts'
import { copyTable, sequencesOf, tablesOf } from './backup/table-copies.ts'
import { copyTrees } from './backup/tree-copies.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withAnySchema } from './database.ts'

const startLimitMs = 30_000

/** `backup FOLDER`: copies all data that cannot be derived, with or without a running platform. @returns the exit code */
export const backUp: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, { 'allow-tmpfs': { type: 'boolean' } })
  const [word, ...more] = positionals
  if (word === undefined || more.length > 0) throw new CommandProblem('Name the folder to create for the backup')
  const folder = resolve(word)
  const { moment, tables, trees, sealedFiles, keys } = await withAnySchema(
    config,
    async ({ database, url }, signal) => {
      const place = { mayBeDiscarded: values['allow-tmpfs'] === true }
      const manifest = await writeBackup(folder, place, (unfinished) =>
        withDedicatedClient(url(), async (client): Promise<BackupManifest> => {
          if ((await appliedTo(client)).length === 0) throw new Error('The database is empty: there is nothing to copy')
          // recorded before the snapshot, so that the record is part of the backup
          await commandTrail(database)({ action: 'backup.make', details: { folder: basename(folder) } })
          const keys = await keysOfData(database.orm, heldKeys(config))
          await client.query('begin isolation level repeatable read read only')
          const { rows } = await client.query<{ moment: Date }>('select clock_timestamp() as moment')
          const migrations = await appliedTo(client)
          const copied: TablePart[] = []
          for (const table of await tablesOf(client)) {
            const part = await copyTable(client, unfinished, table, signal)
            copied.push(part)
            writeLine(`${part.name}: ${part.rows} rows`)
          }
          const sequences = await sequencesOf(client)
          const sealed = await sealedFilesOf(client)
          await client.query('commit')
          return {
            format: 1,
            release: readBuildInfo().version,
            moment: (rows[0]?.moment ?? new Date()).toISOString(),
            migrations: migrations.map(({ number, name, sha256 }) => ({ number, name, sha256 })),
            keys: { ...keys },
            tables: copied,
            sequences,
            ...(config.vaultFolder && { sealedFiles: await copySealedFiles(config.vaultFolder, unfinished, sealed, signal) }),
            ...(await treesBeside(config, unfinished, signal, writeLine)),
          }
        }),
      )
      await noteBackup(database, basename(folder), manifest)
      return manifest
    },
    'the backup was removed',
  )
  const rows = rowsOf(tables)
  const beside = [
    ...(trees === undefined ? [] : [`${trees.length} trees of Cassandra`]),
    ...(sealedFiles === undefined ? [] : [`${sealedFiles.length} encrypted files`]),
  ]
  writeLine(`${folder} holds ${[`${rows} rows of ${tables.length} tables, as of ${moment}`, ...beside].join('; ')}`)
  writeLine(
    `Store these keys separately, the backup is unreadable without them: ${
      Object.entries(keys)
        .map(([name, id]) => `${name} (${id})`)
        .join(', ') || 'those of the platform, which are unset here'
    }`,
  )
  writeLine('It contains unencrypted personal data: protect it like the database')
  return 0
}

/** Records a complete backup for the metric of its age. A database of an earlier schema has no place for it. */
async function noteBackup({ orm }: Database, folder: string, { tables }: BackupManifest): Promise<void> {
  const { rows: there } = await orm.execute<{ there: boolean }>(sql`select to_regclass('platform_backup') is not null as there`)
  if (there[0]?.there !== true) return
  const { version } = readBuildInfo()
  await orm.execute(sql`insert into platform_backup (folder, release, row_count) values (${folder}, ${version}, ${rowsOf(tables)})`)
}

const rowsOf = (tables: BackupManifest['tables']): number => tables.reduce((sum, table) => sum + table.rows, 0)

const appliedTo = async (client: pg.ClientBase) => (await readRecord(client)).filter(({ isFinished }) => isFinished)

/** Copies trees in Cassandra. */
async function treesBeside(
  config: Config,
  folder: string,
  signal: AbortSignal,
  writeLine: WriteLine,
): Promise<Pick<BackupManifest, 'trees'>> {
  const trees = await openExternalTrees({ ...config, migrate: false }, createLog('error'))
  if (trees === undefined) return {}
  await trees.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
  try {
    const parts = await copyTrees(trees, folder, signal)
    for (const { tenant, nodes } of parts) writeLine(`tree of ${tenant}: ${nodes} nodes`)
    return { trees: parts }
  } finally {
    await trees.stop()
  }
}
