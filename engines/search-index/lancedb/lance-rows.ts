import { wordsOf } from '../../../foundation/text/words.ts'
import { embeddingSize } from '../../sentence-encoder/sentence-encoder.ts'
import { fingerprintOf, type IndexedExpression, type IndexedPhrase } from '../search-index.ts'
import {
  DataType,
  expressionSchema,
  type Field,
  type FixedSizeList,
  Float32,
  type Float64,
  type Int32,
  makeData,
  makeVector,
  phraseSchema,
  type Schema,
  Table,
  type Utf8,
  type Vector,
} from './lance-tables.ts'

/** Converts expressions to columns: vectors are copied as bytes, whereas rows of plain objects would be read number by number. */
export const expressionRows = (expressions: readonly IndexedExpression[]): Table =>
  tableOf(expressionSchema, expressions, {
    fingerprint: ({ id, version }) => fingerprintOf(id, version),
    words: ({ text }) => wordsOf(text).join(' '),
    sub_domain: ({ subDomain }) => subDomain,
    lat: ({ position }) => position?.lat ?? null,
    lon: ({ position }) => position?.lon ?? null,
    created_at: ({ createdAt }) => createdAt.getTime(),
  })

export const phraseRows = (phrases: readonly IndexedPhrase[]): Table =>
  tableOf(phraseSchema, phrases, { revision: ({ fingerprint }) => fingerprint })

type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

/** @param columns - values of fields that are not members of an item under their own name */
function tableOf<Item extends { readonly embedding: Float32Array }>(schema: Schema, items: readonly Item[], columns: Columns<Item>): Table {
  const valuesOf = (name: string): readonly unknown[] => items.map(columns[name] ?? ((item) => item[name as keyof Item]))
  const columnOf = ({ name, type }: Field): Vector => {
    if (name === 'vector') return vectorColumn(type, items)
    return DataType.isUtf8(type) ? textColumn(type, valuesOf(name)) : numberColumn(type, valuesOf(name))
  }
  return new Table(schema, Object.fromEntries(schema.fields.map((field) => [field.name, columnOf(field)])))
}

const utf8 = new TextEncoder()

function textColumn(type: Utf8, values: readonly unknown[]): Vector {
  const texts = values.map((value) => utf8.encode(value === null ? '' : String(value)))
  const valueOffsets = new Int32Array(texts.length + 1)
  for (const [index, { length }] of texts.entries()) valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + length
  const data = new Uint8Array(valueOffsets.at(-1) ?? 0)
  for (const [index, text] of texts.entries()) data.set(text, valueOffsets[index])
  return makeVector(makeData({ type, length: texts.length, valueOffsets, data, ...nullsOf(values) }))
}

function numberColumn(type: Int32 | Float64, values: readonly unknown[]): Vector {
  const common = { length: values.length, ...nullsOf(values) }
  if (DataType.isInt(type)) return makeVector(makeData({ ...common, type, data: Int32Array.from(values, Number) }))
  return makeVector(makeData({ ...common, type, data: Float64Array.from(values, Number) }))
}

/** Returns the validity bitmap, least significant bit first (Arrow columnar format, "Validity bitmaps"). */
function nullsOf(values: readonly unknown[]): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullCount = values.filter((value) => value === null).length
  if (nullCount === 0) return { nullCount }
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (const [index, value] of values.entries())
    if (value !== null) nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7))
  return { nullCount, nullBitmap }
}

/** A vector of zeros becomes null. */
function vectorColumn(type: FixedSizeList, items: readonly { readonly embedding: Float32Array }[]): Vector {
  const numbers = new Float32Array(items.length * embeddingSize)
  for (const [index, { embedding }] of items.entries()) numbers.set(embedding, index * embeddingSize)
  const child = makeData({ type: new Float32(), length: numbers.length, nullCount: 0, data: numbers })
  const vectors = items.map(({ embedding }) => (embedding.some((value) => value !== 0) ? embedding : null))
  return makeVector(makeData({ type, length: items.length, child, ...nullsOf(vectors) }))
}
