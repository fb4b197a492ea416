import type { Content, OpenApi, Schema } from './openapi.ts'
import { shapeOf } from './shape.ts'

/**
 * Returns an example of a content: the document's, or one generated from its schema.
 * @returns undefined without both
 */
export function exampleOf(document: OpenApi, { example, examples, schema }: Content): unknown {
  const [first] = Object.values(examples ?? {})
  return example ?? first?.value ?? (schema === undefined ? undefined : sampleOf(document, schema))
}

/** limit of nested components: mutual references make a sample grow with each level */
const maxAbove = 4

/**
 * Returns a sample value of a schema: its example or default, else the simplest value of its type.
 * @param above - enclosing components: a sample ends at a repeated or too deep one
 * @returns undefined there
 */
export function sampleOf(document: OpenApi, written: Schema, above: readonly string[] = []): unknown {
  const { schema, name } = shapeOf(document, written)
  if (name !== undefined && (above.includes(name) || above.length === maxAbove)) return undefined
  const within = name === undefined ? above : [...above, name]
  const { oneOf, anyOf, allOf, items, properties } = schema
  const example = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (example !== undefined) return example
  const alternatives = oneOf ?? anyOf
  if (alternatives !== undefined) return alternatives.map((each) => sampleOf(document, each, within)).find((sample) => sample !== undefined)
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => sampleOf(document, part, within)))
  if (items !== undefined) return [sampleOf(document, items, within)].filter((item) => item !== undefined)
  if (properties !== undefined) {
    const sent = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true)
    return Object.fromEntries(sent.map(([property, of]) => [property, sampleOf(document, of, within)]))
  }
  const type = typeof schema.type === 'object' ? schema.type[0] : schema.type
  return plainest[`${type} ${schema.format}`] ?? plainest[type ?? 'object'] ?? null
}

const plainest: Readonly<Record<string, unknown>> = {
  string: 'string',
  'string date': '2026-01-31',
  'string date-time': '2026-01-31T12:00:00Z',
  'string uuid': '00000000-0000-4000-8000-000000000000',
  'string email': 'user@example.org',
  'string uri': 'https://example.org/',
  integer: 0,
  number: 0,
  boolean: true,
  array: [],
  object: {},
}

/** Returns a value as a user would type it. */
export const codeOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))
