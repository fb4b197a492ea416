import type { Connection, Table } from '@lancedb/lancedb'
import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from 'apache-arrow'
import { embeddingSize } from '../models/sentence-encoder.ts'

const text = (name: string, nullable = false): Field => new Field(name, new Utf8(), nullable)
const number = (name: string, nullable = false): Field => new Field(name, new Float64(), nullable)
const vector = new Field('vector', new FixedSizeList(embeddingSize, new Field('item', new Float32(), true)), false)

export const expressionSchema = new Schema([
  text('id'),
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

/** Opens a table, or makes it; of several processes that make it at once one does. */
export async function openTable(
  connection: Connection,
  name: string,
  schema: Schema,
  prepare: (table: Table) => Promise<void>,
): Promise<Table> {
  if ((await connection.tableNames()).includes(name)) return connection.openTable(name)
  try {
    const table = await connection.createEmptyTable(name, schema)
    await prepare(table)
    return table
  } catch (error) {
    if ((await connection.tableNames()).includes(name)) return connection.openTable(name)
    throw error
  }
}
