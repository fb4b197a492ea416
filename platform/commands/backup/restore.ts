import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type pg from 'pg'
import { type MigrationFile, readMigrations } from '../../../engines/relational/migrations/migration-files.ts'
import { connectedProcesses } from '../../../engines/relational/migrations/older-processes.ts'
import { relationalSchema } from '../../../engines/relational/migrations/relational-schema.ts'
import { saysUnavailable } from '../../../engines/relational/query-errors.ts'
import { queryableOn } from '../../../engines/relational/session.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { refuseProblems } from '../../../foundation/engine-start/schema-at-start.ts'
import { messageOf } from '../../../foundation/fault.ts'
import { saysDiskFull } from '../../../foundation/health/full-disk.ts'
import { createLog } from '../../../foundation/log.ts'
import { projectFolder, readBuildInfo } from '../../../foundation/process/build-info.ts'
import type { Relational } from '../../engines/relational.ts'
import { openTreesBeside } from '../../engines/stores.ts'
import { type Command, CommandProblem, type Say } from '../command.ts'
import { commandTrail } from '../command-trail.ts'
import { withAnySchema } from '../database.ts'
import { type BackupManifest, readManifest } from './backup-folder.ts'
import { commandClient, withDedicatedClient } from './dedicated-client.ts'
import { keyIds } from './platform-keys.ts'
import { refuseFilledVault, restoreSealedFiles } from './sealed-copies.ts'
import { filledTables, fillTable, inOrderOfReferences, isAsCopied, setSequence } from './table-copies.ts'
import { restoreTree } from './tree-copies.ts'

const startLimitMs = 30_000
const migrationsFolder = join(projectFolder, 'schema/sql')

/** `restore FOLDER`: a backup into empty engines, all of it or nothing. @returns the exit code */
export const restore: Command = async (words, config, say) => {
  const [word, ...more] = words
  if (word === undefined || more.length > 0) throw new CommandProblem('Name the one folder that holds the backup')
  const folder = resolve(word)
  const manifest = await readManifest(folder)
  const migrations = await knownMigrations(manifest)
  refuseOtherKeys(manifest, keyIds(config))
  refuseOtherStores(manifest, config)
  await withAnySchema(
    config,
    async (relational, signal) => {
      await withDedicatedClient(relational.url(), async (client) => {
        await refuseRunningPlatform(client)
        await refuseFilled(client, migrations)
        if (config.vaultFolder && manifest.sealedFiles?.length) await refuseFilledVault(config.vaultFolder)
        await applyAlone(relational, migrations, signal, say)
        await restoreTrees(manifest, folder, config, signal, say)
        const record = commandTrail(relational.database)
        const { moment, release } = manifest
        await fill(client, manifest, folder, config, signal, say, () =>
          record({ action: 'backup.restore', details: { folder: basename(folder), moment, release } }, queryableOn(client)),
        )
      })
      const { schema } = relational
      await schema.apply({ signal, contract: false, onProgress: (sentence) => say(sentence) })
    },
    'the tables are empty',
  )
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  say(
    `${rows} rows of ${manifest.tables.length} tables are back, as they were at ${manifest.moment}; every table was read again and is equal`,
  )
  say(
    'Start the platform: it fills its search index from the database. What was withdrawn or erased after that moment is there again: do it once more',
  )
  return 0
}

/** The migrations that the backup's database had, as files of this release. @throws {Error} where this release does not have them as they were */
async function knownMigrations({ migrations, release }: BackupManifest): Promise<readonly MigrationFile[]> {
  const files = await readMigrations(migrationsFolder)
  return migrations.map(({ number, name, sha256 }) => {
    const file = files.find((each) => each.number === number)
    if (file?.sha256 === sha256) return file
    const why = file === undefined ? 'does not know' : 'has changed'
    throw new Error(
      `The backup is of release ${release}, whose ${name} release ${readBuildInfo().version} ${why}: restore it with release ${release} or a later one`,
    )
  })
}

function refuseOtherKeys({ keys }: BackupManifest, present: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(keys).filter(([name, id]) => present[name] !== id)
  if (wrong.length === 0) return
  const told = wrong.map(([name, id]) => `${name} (${id})`).join(', ')
  throw new Error(
    `The backup needs ${told}, and ${wrong.length === 1 ? 'another or none is' : 'others or none are'} set: set what the platform had; in development copy its DATA_DIR/secrets.json`,
  )
}

function refuseOtherStores({ trees, sealedFiles }: BackupManifest, { cassandra, vaultFolder }: Config): void {
  if (trees !== undefined && cassandra === undefined) throw new Error('The backup holds trees of Cassandra: set CASSANDRA_CONTACT_POINTS')
  if (trees === undefined && cassandra !== undefined)
    throw new Error('The backup holds trees in its tables: restore it without CASSANDRA_CONTACT_POINTS')
  if (sealedFiles !== undefined && sealedFiles.length > 0 && vaultFolder === undefined)
    throw new Error('The backup holds sealed files: set VAULT_DIR to the folder that they are to be in')
}

async function refuseRunningPlatform(client: pg.ClientBase): Promise<void> {
  const others = (await connectedProcesses(client)).filter(({ name }) => name !== commandClient)
  if (others.length > 0)
    throw new Error(
      `A platform runs on this database (${others.map(({ name, origin }) => `"${name}" from ${origin}`).join(', ')}): a backup is restored into an empty place; stop it, or name another one`,
    )
}

/** @throws {Error} when there is something in the tables, or they are newer than the backup's */
async function refuseFilled(client: pg.ClientBase, migrations: readonly MigrationFile[]): Promise<void> {
  const filled = await filledTables(client)
  if (filled.length > 0)
    throw new Error(
      `The database is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ', …' : ''}): a backup is restored into an empty one; nothing was changed`,
    )
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('schema_migration') is not null as there`)
  if (rows[0]?.there !== true) return
  const { rows: newer } = await client.query<{ name: string }>(
    'select name from schema_migration where number <> all ($1) order by number',
    [migrations.map(({ number }) => number)],
  )
  if (newer.length > 0)
    throw new Error(
      `The database has ${newer.map(({ name }) => name).join(', ')}, which the backup's had not: give it an empty database without tables`,
    )
}

/** Brings an empty database to where the backup's was, and no further: later migrations may change what is in the tables. */
async function applyAlone({ database }: Relational, migrations: readonly MigrationFile[], signal: AbortSignal, say: Say): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    for (const { name } of migrations) await copyFile(join(migrationsFolder, name), join(folder, name))
    const schema = relationalSchema({ database, folder, release: readBuildInfo().version, watch: { forMs: 0, everyMs: 0 } })
    refuseProblems(schema.engine, (await schema.status(signal)).problems)
    await schema.apply({ signal, contract: true, onProgress: (sentence) => say(sentence) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Trees beside the database come first: when one fails, the tables are empty still, and the same command says which tree is there already. */
async function restoreTrees(
  { trees: parts }: BackupManifest,
  folder: string,
  config: Config,
  signal: AbortSignal,
  say: Say,
): Promise<void> {
  if (parts === undefined) return
  const trees = await openTreesBeside({ ...config, migrate: true }, createLog('error'))
  if (trees === undefined) return
  await trees.start(AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]))
  try {
    const [there] = await trees.versions(signal)
    if (there !== undefined)
      throw new Error(
        `The keyspace is not empty (${there.tenant}): a backup is restored into an empty one; drop it, or name another one by CASSANDRA_KEYSPACE`,
      )
    for (const part of parts) {
      await restoreTree(trees, folder, part, signal)
      say(`tree of ${part.tenant}: ${part.nodes} nodes`)
    }
  } finally {
    await trees.stop()
  }
}

/** Fills all tables, compares each with what was copied and then adds to the audit trail that they were restored, in one transaction. */
async function fill(
  client: pg.ClientBase,
  manifest: BackupManifest,
  folder: string,
  config: Config,
  signal: AbortSignal,
  say: Say,
  record: () => Promise<void>,
): Promise<void> {
  const { tables, sequences, sealedFiles = [] } = manifest
  const takeAway = config.vaultFolder && (await restoreSealedFiles(config.vaultFolder, folder, sealedFiles, signal))
  try {
    await client.query('begin')
    for (const table of await inOrderOfReferences(client, tables)) {
      await fillTable(client, folder, table, signal)
      say(`${table.name}: ${table.rows} rows`)
    }
    for (const sequence of sequences) await setSequence(client, sequence)
    for (const table of tables)
      if (!(await isAsCopied(client, table, signal))) throw new Error(`${table.name} is not what was copied; nothing was restored`)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if (takeAway) await takeAway()
    throw saysDiskFull(error) || saysUnavailable(error)
      ? new Error(`The database has no space or was lost: nothing was restored; its log says why (${messageOf(error)})`, { cause: error })
      : error
  }
}
