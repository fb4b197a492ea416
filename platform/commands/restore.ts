import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type pg from 'pg'
import { type MigrationFile, readMigrations } from '../../engines/relational/migrations/migration-files.ts'
import { connectedProcesses } from '../../engines/relational/migrations/older-processes.ts'
import { relationalSchema } from '../../engines/relational/migrations/relational-schema.ts'
import type { HeldKey } from '../../engines/relational/processes/held-key.ts'
import { indicatesUnavailable } from '../../engines/relational/query-errors.ts'
import { queryableOn } from '../../engines/relational/session.ts'
import type { Config } from '../../foundation/config/config.ts'
import { refuseProblems } from '../../foundation/engine-start/schema-at-start.ts'
import { messageOf } from '../../foundation/fault.ts'
import { isDiskFullError } from '../../foundation/health/stalled.ts'
import { createLog } from '../../foundation/log.ts'
import { projectFolder, readBuildInfo } from '../../foundation/process/build-info.ts'
import type { Relational } from '../engines/relational.ts'
import { openExternalTrees } from '../engines/stores.ts'
import { heldKeys } from '../process/keys/keys.ts'
import { type BackupManifest, readManifest } from './backup/backup-folder.ts'
import { commandClient, withDedicatedClient } from './backup/dedicated-client.ts'
import { missingKeysOf } from './backup/platform-keys.ts'
import { refuseFilledVault, restoreSealedFiles } from './backup/sealed-copies.ts'
import { filledTables, fillTable, inOrderOfReferences, isAsCopied, setSequence } from './backup/table-copies.ts'
import { restoreTree } from './backup/tree-copies.ts'
import { type Command, CommandProblem, type WriteLine } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withAnySchema } from './database.ts'

const startLimitMs = 30_000
const migrationsFolder = join(projectFolder, 'schema/sql')

/** `restore FOLDER`: restores a backup into empty engines, completely or not at all. @returns the exit code */
export const restore: Command = async (words, config, writeLine) => {
  const [word, ...more] = words
  if (word === undefined || more.length > 0) throw new CommandProblem('Name the folder of the backup')
  const folder = resolve(word)
  const manifest = await readManifest(folder)
  const migrations = await knownMigrations(manifest)
  refuseOtherKeys(manifest, heldKeys(config))
  refuseOtherStores(manifest, config)
  await withAnySchema(
    config,
    async (relational, signal) => {
      await withDedicatedClient(relational.url(), async (client) => {
        await refuseRunningPlatform(client)
        await refuseFilled(client, migrations)
        if (config.vaultFolder && manifest.sealedFiles?.length) await refuseFilledVault(config.vaultFolder)
        await applyAlone(relational, migrations, signal, writeLine)
        await restoreTrees(manifest, folder, config, signal, writeLine)
        const record = commandTrail(relational.database)
        const { moment, release } = manifest
        await fill(client, manifest, folder, config, signal, writeLine, () =>
          record({ action: 'backup.restore', details: { folder: basename(folder), moment, release } }, queryableOn(client)),
        )
      })
      const { schema } = relational
      await schema.apply({ signal, contract: false, onProgress: (sentence) => writeLine(sentence) })
    },
    'the tables stay empty',
  )
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  writeLine(`${rows} rows of ${manifest.tables.length} tables restored as of ${manifest.moment}; every table was read back and compared`)
  writeLine(
    'Start the platform: it fills its search index from the database. Withdrawals and erasures after that time are undone: repeat them',
  )
  return 0
}

/** Returns the migrations of the backup as files of this release. @throws {Error} if a file is missing or changed */
async function knownMigrations({ migrations, release }: BackupManifest): Promise<readonly MigrationFile[]> {
  const files = await readMigrations(migrationsFolder)
  return migrations.map(({ number, name, sha256 }) => {
    const file = files.find((each) => each.number === number)
    if (file?.sha256 === sha256) return file
    const why = file === undefined ? 'does not know' : 'has changed'
    throw new Error(
      `The backup is of release ${release} with ${name}, which release ${readBuildInfo().version} ${why}: restore it with release ${release} or a later one`,
    )
  })
}

function refuseOtherKeys({ keys }: BackupManifest, held: readonly HeldKey[]): void {
  const wrong = missingKeysOf(keys, held)
  if (wrong.length === 0) return
  const wantedKeys = wrong.map(([name, id]) => `${name} (${id})`).join(', ')
  throw new Error(
    `The backup needs ${wantedKeys}, and ${wrong.length === 1 ? 'it is missing or has another value' : 'they are missing or have other values'}: set the keys of that platform, a rotated one as NAME_PREVIOUS; in development copy its DATA_DIR/secrets.json`,
  )
}

function refuseOtherStores({ trees, sealedFiles }: BackupManifest, { cassandra, vaultFolder }: Config): void {
  if (trees !== undefined && cassandra === undefined)
    throw new Error('The backup contains trees of Cassandra: set CASSANDRA_CONTACT_POINTS')
  if (trees === undefined && cassandra !== undefined)
    throw new Error('The backup contains trees in its tables: restore it without CASSANDRA_CONTACT_POINTS')
  if (sealedFiles !== undefined && sealedFiles.length > 0 && vaultFolder === undefined)
    throw new Error('The backup contains encrypted files: set VAULT_DIR to the folder for them')
}

async function refuseRunningPlatform(client: pg.ClientBase): Promise<void> {
  const others = (await connectedProcesses(client)).filter(({ name }) => name !== commandClient)
  if (others.length > 0)
    throw new Error(
      `A platform is using this database (${others.map(({ name, origin }) => `"${name}" from ${origin}`).join(', ')}): stop it, or restore into another database`,
    )
}

/** @throws {Error} if the tables are not empty, or are newer than those of the backup */
async function refuseFilled(client: pg.ClientBase, migrations: readonly MigrationFile[]): Promise<void> {
  const filled = await filledTables(client)
  if (filled.length > 0)
    throw new Error(
      `The database is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ', …' : ''}): restore into an empty database; nothing was changed`,
    )
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('schema_migration') is not null as there`)
  if (rows[0]?.there !== true) return
  const { rows: newer } = await client.query<{ name: string }>(
    'select name from schema_migration where number <> all ($1) order by number',
    [migrations.map(({ number }) => number)],
  )
  if (newer.length > 0)
    throw new Error(
      `The database has ${newer.map(({ name }) => name).join(', ')}, which the backup lacks: restore into a database without tables`,
    )
}

/** Migrates an empty database to the state of the backup, not further: later migrations may change data. */
async function applyAlone(
  { database }: Relational,
  migrations: readonly MigrationFile[],
  signal: AbortSignal,
  writeLine: WriteLine,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    for (const { name } of migrations) await copyFile(join(migrationsFolder, name), join(folder, name))
    const schema = relationalSchema({ database, folder, release: readBuildInfo().version, watch: { forMs: 0, everyMs: 0 } })
    refuseProblems(schema.engine, (await schema.status(signal)).problems)
    await schema.apply({ signal, contract: true, onProgress: (sentence) => writeLine(sentence) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Restores trees in Cassandra first: if one fails, the tables are still empty, and the next attempt reports the existing tree. */
async function restoreTrees(
  { trees: parts }: BackupManifest,
  folder: string,
  config: Config,
  signal: AbortSignal,
  writeLine: WriteLine,
): Promise<void> {
  if (parts === undefined) return
  const trees = await openExternalTrees({ ...config, migrate: true }, createLog('error'))
  if (trees === undefined) return
  await trees.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
  try {
    const [there] = await trees.versions(signal)
    if (there !== undefined)
      throw new Error(`The keyspace is not empty (${there.tenant}): drop it, or set CASSANDRA_KEYSPACE to another one`)
    for (const part of parts) {
      await restoreTree(trees, folder, part, signal)
      writeLine(`tree of ${part.tenant}: ${part.nodes} nodes`)
    }
  } finally {
    await trees.stop()
  }
}

/** Fills all tables, compares each with the backup and records the restore in the audit trail, in one transaction. */
async function fill(
  client: pg.ClientBase,
  manifest: BackupManifest,
  folder: string,
  config: Config,
  signal: AbortSignal,
  writeLine: WriteLine,
  record: () => Promise<void>,
): Promise<void> {
  const { tables, sequences, sealedFiles = [] } = manifest
  const removeCopies = config.vaultFolder && (await restoreSealedFiles(config.vaultFolder, folder, sealedFiles, signal))
  try {
    await client.query('begin')
    for (const table of await inOrderOfReferences(client, tables)) {
      await fillTable(client, folder, table, signal)
      writeLine(`${table.name}: ${table.rows} rows`)
    }
    for (const sequence of sequences) await setSequence(client, sequence)
    for (const table of tables)
      if (!(await isAsCopied(client, table, signal))) throw new Error(`${table.name} differs from the backup; nothing was restored`)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if (removeCopies) await removeCopies()
    throw isDiskFullError(error) || indicatesUnavailable(error)
      ? new Error(`The database is out of space or unavailable: nothing was restored; its log has the reason (${messageOf(error)})`, {
          cause: error,
        })
      : error
  }
}
