import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { hashOf, readPart, type TablePart, writePart } from './backup-folder.ts'

/** A table of ours, and the columns that are stored rather than worked out. */
interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/** Their content says what is applied to a database; it is made by applying that. */
const records = ['schema_migration', 'migration']

/** What lasts: no unlogged tables, which a crash may empty, and not the queue's, which is filled again from these. */
export async function tablesOf(client: pg.ClientBase): Promise<readonly TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname::text as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, at)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
             where i.indrelid = c.oid and i.indisprimary order by k.at) as key
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all ($1)
     order by c.relname`,
    [records],
  )
  return rows
}

/** Rows as PostgreSQL writes them as text, in the order of the primary key, so that equal tables have equal hashes. */
const rowsAsText = ({ name, columns, key }: TableShape): string =>
  `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${(key.length > 0 ? key : columns).map(quoted).join(', ')}) to stdout`

/** Copies a table into a file. */
export async function copyTable(client: pg.ClientBase, folder: string, table: TableShape, signal: AbortSignal): Promise<TablePart> {
  const file = `${table.name}.copy.gz`
  const copy = client.query(to(rowsAsText(table)))
  const sha256 = await writePart(join(folder, file), copy, signal)
  return { ...table, columns: [...table.columns], key: [...table.key], file, rows: copy.rowCount, sha256 }
}

/**
 * Fills a table that is empty, without the triggers that keep other tables: those are filled from their own parts.
 * @throws {Error} when the file is damaged, or has another number of rows
 */
export async function fillTable(client: pg.ClientBase, folder: string, table: TablePart, signal: AbortSignal): Promise<void> {
  const name = quoted(table.name)
  await client.query(`alter table ${name} disable trigger user`)
  const copy = client.query(from(`copy ${name} (${table.columns.map(quoted).join(', ')}) from stdin`))
  // a server that is lost may say so once more, after whoever waits has heard of it
  copy.on('error', () => undefined)
  await readPart(folder, table, (content) => pipeline(content, copy, { signal }), signal)
  await client.query(`alter table ${name} enable trigger user`)
  if (copy.rowCount !== table.rows) throw new Error(`${table.name}: ${copy.rowCount} rows came of ${table.rows}`)
}

/** Whether the table holds what the backup says, byte for byte. */
export async function isAsCopied(client: pg.ClientBase, table: TablePart, signal: AbortSignal): Promise<boolean> {
  const copy = client.query(to(rowsAsText(table)))
  return (await hashOf(copy, signal)) === table.sha256 && copy.rowCount === table.rows
}

/** Tables in an order in which each comes after those that its rows refer to. */
export async function inOrderOfReferences<Table extends { readonly name: string }>(
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<readonly Table[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select f.relname::text as from, t.relname::text as to from pg_constraint r
     join pg_class f on f.oid = r.conrelid join pg_class t on t.oid = r.confrelid
     where r.contype = 'f' and r.conrelid <> r.confrelid and f.relnamespace = current_schema()::regnamespace`,
  )
  const left = [...tables]
  const ordered: Table[] = []
  while (left.length > 0) {
    const waits = ({ name }: Table): boolean => rows.some((row) => row.from === name && left.some((other) => other.name === row.to))
    const free = left.filter((table) => !waits(table))
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...free)
    left.splice(0, left.length, ...left.filter(waits))
  }
  return ordered
}

/** What numbers rows: each with the number that it gives next. */
export async function sequencesOf(client: pg.ClientBase): Promise<{ name: string; next: string }[]> {
  const { rows } = await client.query<{ name: string; next: string }>(
    `select sequencename::text as name, coalesce(last_value + increment_by, start_value)::text as next
     from pg_sequences where schemaname = current_schema() order by 1`,
  )
  return rows
}

export async function setSequence(client: pg.ClientBase, { name, next }: { readonly name: string; readonly next: string }): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint, false)', [quoted(name), next])
}

/** The tables that hold something. */
export async function filledTables(client: pg.ClientBase): Promise<readonly string[]> {
  const filled: string[] = []
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${quoted(name)}) as filled`)
    if (rows[0]?.filled === true) filled.push(name)
  }
  return filled
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
