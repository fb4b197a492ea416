import type { Content, OpenApi, Schema } from './openapi.ts'
import { shapeOf } from './shape.ts'

/** An example of a content: that of the document, or one made of its schema. @returns undefined where nothing is known of it */
export function exampleOf(document: OpenApi, { example, examples, schema }: Content): unknown {
  const [first] = Object.values(examples ?? {})
  return example ?? first?.value ?? (schema === undefined ? undefined : sampleOf(document, schema))
}

/** components within each other: where all of them name all others, a sample grows by their number with each level */
const mostAbove = 4

/**
 * A value as a schema describes it: its own example or default, else the plainest of its type.
 * @param above - components that it is in: a sample ends where one of them comes again, or there are too many   @returns undefined there
 */
export function sampleOf(document: OpenApi, written: Schema, above: readonly string[] = []): unknown {
  const { schema, name } = shapeOf(document, written)
  if (name !== undefined && (above.includes(name) || above.length === mostAbove)) return undefined
  const within = name === undefined ? above : [...above, name]
  const { oneOf, anyOf, allOf, items, properties } = schema
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
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
  'string email': 'somebody@example.org',
  'string uri': 'https://example.org/',
  integer: 0,
  number: 0,
  boolean: true,
  array: [],
  object: {},
}

/** A value as somebody would type it. */
export const codeOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))
