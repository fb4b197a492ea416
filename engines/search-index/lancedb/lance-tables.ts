import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, Index, type Table } from '@lancedb/lancedb'
import { embeddingSize } from '../../sentence-encoder/sentence-encoder.ts'
import { Field, FixedSizeList, Float32, Float64, Int32, Schema, Utf8 } from './arrow.ts'

const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable)
const number = (name: string, nullable = false): Field => new Field(name, new Float64(), nullable)
/** null where there is no direction: then no search by likeness finds it */
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
  prepare(table: Table): Promise<void>
}

/** rises when the columns change: a table with other columns is of another kind */
const columnsVersion = 2

export const expressionTable = (generation: string): TableKind => ({
  name: `expressions-${columnsVersion}-${generation}`,
  schema: expressionSchema,
  async prepare(table) {
    // with it two processes that add the same id at once notice each other
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

/** Rows keep their numbers when tidying moves them, so that the indices of a table need not be written anew: it takes two thirds of the time. */
const storageOptions = { new_table_enable_stable_row_ids: 'true' }

/** A table of its own name, which nobody knows yet. */
export async function makeTable(connection: Connection, kind: TableKind): Promise<Table> {
  const table = await connection.createEmptyTable(`${kind.name}.${newStamp()}`, kind.schema, { storageOptions })
  await kind.prepare(table)
  return table
}

/** The file that names the table of a kind that answers: what an alias is elsewhere. */
const pointer = (folder: string, kind: TableKind): string => join(folder, `${kind.name}.current`)

/** @returns undefined when there is none */
export async function currentTable(folder: string, kind: TableKind): Promise<string | undefined> {
  return readFile(pointer(folder, kind), 'utf8').catch(() => undefined)
}

/** Lets this table answer in the place of another, for every process at once. */
export async function pointTo(folder: string, kind: TableKind, name: string): Promise<void> {
  const draft = join(folder, `${name}.draft`)
  await writeFile(draft, name)
  await rename(draft, pointer(folder, kind))
}

/** A table whose files were removed by hand answers no more, unless another one does already. */
function forget(folder: string, kind: TableKind, name: string): void {
  const file = pointer(folder, kind)
  // in one go: another caller may put a new one there between two turns
  if (existsSync(file) && readFileSync(file, 'utf8') === name) rmSync(file, { force: true })
}

/** Opens the table that answers, or makes it; of several processes that make one at once the table of one is kept. */
export async function openCurrent(connection: Connection, folder: string, kind: TableKind): Promise<Table> {
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

/** Removes the tables of all kinds but these, and what points to them. @returns their names */
export async function dropOtherKinds(connection: Connection, folder: string, kept: readonly TableKind[]): Promise<readonly string[]> {
  const names = (await connection.tableNames()).filter((name) => !kept.some((kind) => name.startsWith(`${kind.name}.`)))
  for (const name of names) {
    await rm(join(folder, `${name.slice(0, name.lastIndexOf('.'))}.current`), { force: true })
    await connection.dropTable(name)
  }
  return names
}

/** Tables of the kind that do not answer: of a rebuild that never ended, or of before one. */
export async function otherTables(connection: Connection, folder: string, kind: TableKind): Promise<readonly string[]> {
  const current = await currentTable(folder, kind)
  return (await connection.tableNames()).filter((name) => name.startsWith(`${kind.name}.`) && name !== current)
}
