import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { hashOf, readPart, type TablePart, writePart } from './backup-folder.ts'

/** A table with its stored (not generated) columns. */
interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

/** Records of applied migrations; they are created by applying the migrations. */
const records = ['schema_migration', 'migration']

/** Returns durable tables: neither unlogged ones, which a crash may empty, nor those of the queue, which is rebuilt. */
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

/** Formats rows as PostgreSQL text in primary key order, so that equal tables have equal hashes. */
const rowsAsText = ({ name, columns, key }: TableShape): string =>
  `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${(key.length > 0 ? key : columns).map(quoted).join(', ')}) to stdout`

/** Copies a table to a file. */
export async function copyTable(client: pg.ClientBase, folder: string, table: TableShape, signal: AbortSignal): Promise<TablePart> {
  const file = `${table.name}.copy.gz`
  const copy = client.query(to(rowsAsText(table)))
  const sha256 = await writePart(join(folder, file), copy, signal)
  return { ...table, columns: [...table.columns], key: [...table.key], file, rows: copy.rowCount, sha256 }
}

/**
 * Fills an empty table without the triggers that maintain other tables, since those have their own parts. @throws {Error} if the file is damaged or
 * has another number of rows
 */
export async function fillTable(client: pg.ClientBase, folder: string, table: TablePart, signal: AbortSignal): Promise<void> {
  const name = quoted(table.name)
  await client.query(`alter table ${name} disable trigger user`)
  const copy = client.query(from(`copy ${name} (${table.columns.map(quoted).join(', ')}) from stdin`))
  // a lost connection may emit a further error after the stream has rejected
  copy.on('error', () => undefined)
  await readPart(folder, table, (content) => pipeline(content, copy, { signal }), signal)
  await client.query(`alter table ${name} enable trigger user`)
  if (copy.rowCount !== table.rows) throw new Error(`${table.name}: ${copy.rowCount} rows instead of ${table.rows}`)
}

/** Whether the table equals the backup byte for byte. */
export async function isAsCopied(client: pg.ClientBase, table: TablePart, signal: AbortSignal): Promise<boolean> {
  const copy = client.query(to(rowsAsText(table)))
  return (await hashOf(copy, signal)) === table.sha256 && copy.rowCount === table.rows
}

/** Orders tables so that each follows those that it references. */
export async function inOrderOfReferences<Table extends { readonly name: string }>(
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<readonly Table[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select f.relname::text as from, t.relname::text as to from pg_constraint r
     join pg_class f on f.oid = r.conrelid join pg_class t on t.oid = r.confrelid
     where r.contype = 'f' and r.conrelid <> r.confrelid and f.relnamespace = current_schema()::regnamespace`,
  )
  const remaining = [...tables]
  const ordered: Table[] = []
  while (remaining.length > 0) {
    const waits = ({ name }: Table): boolean => rows.some((row) => row.from === name && remaining.some((other) => other.name === row.to))
    const free = remaining.filter((table) => !waits(table))
    if (free.length === 0) throw new Error(`Tables have cyclic references: ${remaining.map(({ name }) => name).join(', ')}`)
    ordered.push(...free)
    remaining.splice(0, remaining.length, ...remaining.filter(waits))
  }
  return ordered
}

/** Returns sequences with their next values. */
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

/** Returns the tables that are not empty. */
export async function filledTables(client: pg.ClientBase): Promise<readonly string[]> {
  const filled: string[] = []
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${quoted(name)}) as filled`)
    if (rows[0]?.filled === true) filled.push(name)
  }
  return filled
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
