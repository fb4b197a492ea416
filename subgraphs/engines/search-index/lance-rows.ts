import {
  type Field,
  type FixedSizeList,
  Float32,
  makeData,
  makeVector,
  type Schema,
  Table,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import { embeddingSize } from '../models/sentence-encoder.ts'
import { wordsOf } from '../models/text-classifier-features.ts'
import { fingerprintOf } from './fingerprint.ts'
import { expressionSchema, phraseSchema } from './lance-tables.ts'
import type { IndexedExpression, IndexedPhrase } from './search-index.ts'

/**
 * The expressions as the table keeps them, column by column: a vector is copied as the bytes that it is, where rows of plain objects have
 * each of its numbers looked at.
 */
export const expressionRows = (expressions: readonly IndexedExpression[]): Table =>
  tableOf(expressionSchema, expressions, {
    fingerprint: ({ id, version }) => fingerprintOf(id, version),
    words: ({ text }) => wordsOf(text).join(' '),
    sub_domain: ({ subDomain }) => subDomain,
    lat: ({ position }) => position?.lat ?? null,
    lon: ({ position }) => position?.lon ?? null,
    created_at: ({ createdAt }) => createdAt.getTime(),
  })

export const phraseRows = (phrases: readonly IndexedPhrase[]): Table => tableOf(phraseSchema, phrases, {})

type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

/** @param columns - of the fields that are not members of an item under their own name */
function tableOf<Item extends { readonly embedding: Float32Array }>(schema: Schema, items: readonly Item[], columns: Columns<Item>): Table {
  const valuesOf = (name: string): readonly unknown[] => items.map(columns[name] ?? ((item) => item[name as keyof Item]))
  const vectorOf = ({ name, type }: Field): Vector =>
    name === 'vector' ? vectorColumn(type, items) : vectorFromArray(valuesOf(name), type)
  return new Table(schema, Object.fromEntries(schema.fields.map((field) => [field.name, vectorOf(field)])))
}

function vectorColumn(type: FixedSizeList, items: readonly { readonly embedding: Float32Array }[]): Vector {
  const numbers = new Float32Array(items.length * embeddingSize)
  for (const [index, { embedding }] of items.entries()) numbers.set(embedding, index * embeddingSize)
  const child = makeData({ type: new Float32(), length: numbers.length, nullCount: 0, data: numbers })
  return makeVector(makeData({ type, length: items.length, nullCount: 0, child }))
}
