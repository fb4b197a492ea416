import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Connection, Index, type Table as LanceTable } from '@lancedb/lancedb'
import { embeddingSize } from '../../sentence-encoder/sentence-encoder.ts'

export type { Vector } from 'apache-arrow'

/**
 * Loads Arrow as CommonJS, the copy that LanceDB uses: it accepts tables of its own classes as they are and converts any other at each write
 * (0.37.1).
 */
const require = createRequire(import.meta.url)
const arrow: typeof import('apache-arrow') = require('apache-arrow')

export const { DataType, Field, FixedSizeList, Float32, Float64, Int32, makeData, makeVector, Schema, Table, Utf8 } = arrow
/** types of these classes under the same names */
export type Field = import('apache-arrow').Field
export type FixedSizeList = import('apache-arrow').FixedSizeList
export type Float64 = import('apache-arrow').Float64
export type Int32 = import('apache-arrow').Int32
export type Schema = import('apache-arrow').Schema
export type Table = import('apache-arrow').Table
export type Utf8 = import('apache-arrow').Utf8

const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable)
const number = (name: string, nullable = false): Field => new Field(name, new Float64(), nullable)
/** null without a direction: a similarity search does not find it */
const vector = new Field('vector', new FixedSizeList(embeddingSize, new Field('item', new Float32(), true)), true)

export const expressionSchema = new Schema([
  text('id'),
  number('version'),
  new Field('fingerprint', new Int32(), false),
  text('words'),
  text('lang'),
  text('domain', true),
  text('sub_domain', true),
  text('sentiment', true),
  number('lat', true),
  number('lon', true),
  number('created_at'),
  text('document'),
  vector,
])

export const phraseSchema = new Schema([text('id'), text('domain'), text('revision'), text('text'), vector])

const newStamp = (): string => `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`

export interface TableKind {
  readonly name: string
  readonly schema: Schema
  prepare(table: LanceTable): Promise<void>
}

/** incremented when the columns change: tables with other columns are a different kind */
const columnsVersion = 2

export const expressionTable = (generation: string): TableKind => ({
  name: `expressions-${columnsVersion}-${generation}`,
  schema: expressionSchema,
  async prepare(table) {
    // makes concurrent inserts of the same id by two processes conflict
    await table.setUnenforcedPrimaryKey('id')
    await table.createIndex('words', { config: Index.fts({ withPosition: false, stem: false, removeStopWords: false }) })
    await table.createIndex('id', { config: Index.btree() })
  },
})

export const phraseTable = (generation: string): TableKind => ({
  name: `phrases-${columnsVersion}-${generation}`,
  schema: phraseSchema,
  prepare: async () => undefined,
})

/** Rows keep their ids during compaction, so that indices need not be rewritten: a third less time. */
const storageOptions = { new_table_enable_stable_row_ids: 'true' }

/** Creates a table with a unique name, not yet referenced. */
export async function makeTable(connection: Connection, kind: TableKind): Promise<LanceTable> {
  const table = await connection.createEmptyTable(`${kind.name}.${newStamp()}`, kind.schema, { storageOptions })
  await kind.prepare(table)
  return table
}

/** Returns the pointer file that names the current table of a kind, like an alias. */
const pointer = (folder: string, kind: TableKind): string => join(folder, `${kind.name}.current`)

/** @returns undefined without one */
export async function currentTable(folder: string, kind: TableKind): Promise<string | undefined> {
  return readFile(pointer(folder, kind), 'utf8').catch(() => undefined)
}

/** Makes this table the current one, for every process atomically. */
export async function switchTable(folder: string, kind: TableKind, name: string): Promise<void> {
  const draft = join(folder, `${name}.draft`)
  await writeFile(draft, name)
  await rename(draft, pointer(folder, kind))
}

/** Clears the pointer to a table whose files were deleted by hand, unless it has changed. */
function forget(folder: string, kind: TableKind, name: string): void {
  const file = pointer(folder, kind)
  // synchronous, so that no other caller can replace the file in between
  if (existsSync(file) && readFileSync(file, 'utf8') === name) rmSync(file, { force: true })
}

/** Opens or creates the current table; of several processes that create one concurrently one wins. */
export async function openCurrent(connection: Connection, folder: string, kind: TableKind): Promise<LanceTable> {
  const current = await currentTable(folder, kind)
  if (current !== undefined) {
    if ((await connection.tableNames()).includes(current)) return connection.openTable(current)
    forget(folder, kind, current)
  }
  const made = await makeTable(connection, kind)
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${made.name}.draft`)
  await writeFile(draft, made.name)
  try {
    await link(draft, pointer(folder, kind))
    return made
  } catch (error) {
    const winner = await currentTable(folder, kind)
    if (winner === undefined) throw error
    await connection.dropTable(made.name)
    return connection.openTable(winner)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Deletes the tables of all other kinds and their pointers. @returns their names */
export async function dropOtherKinds(connection: Connection, folder: string, retained: readonly TableKind[]): Promise<readonly string[]> {
  const names = (await connection.tableNames()).filter((name) => !retained.some((kind) => name.startsWith(`${kind.name}.`)))
  for (const name of names) {
    await rm(join(folder, `${name.slice(0, name.lastIndexOf('.'))}.current`), { force: true })
    await connection.dropTable(name)
  }
  return names
}

/** Returns the tables of the kind that are not current: of interrupted rebuilds, or replaced. */
export async function otherTables(connection: Connection, folder: string, kind: TableKind): Promise<readonly string[]> {
  const current = await currentTable(folder, kind)
  return (await connection.tableNames()).filter((name) => name.startsWith(`${kind.name}.`) && name !== current)
}
