import type { OpenApi, Schema } from './openapi.ts'
import { nameIn, referred } from './references.ts'

/** A schema without wrappers that only refer to another one. */
export interface Shape {
  readonly schema: Schema
  /** name of the component */
  readonly name?: string | undefined
  readonly isNullable: boolean
}

/** a deeper nesting consists of wrappers only */
const maxSteps = 20

const isNull = (schema: Schema): boolean => schema.type === 'null'

/** Resolves references and removes `null` from nullable schemas, in any notation. */
export function shapeOf(document: OpenApi, written: Schema, steps = 0): Shape {
  if (steps > maxSteps) return { schema: {}, isNullable: false }
  if (written.$ref !== undefined) {
    const { $ref, ...beside } = written
    const target = referred<Schema>(document, { $ref }) ?? { description: `${$ref} ?` }
    const shape = shapeOf(document, { ...target, ...beside }, steps + 1)
    return { ...shape, name: nameIn($ref) }
  }
  for (const kind of ['anyOf', 'oneOf', 'allOf'] as const) {
    const { [kind]: parts, ...beside } = written
    const others = parts?.filter((part) => !isNull(part)) ?? []
    const [only] = others
    if (parts === undefined || only === undefined) continue
    const isNullable = others.length < parts.length
    if (others.length > 1) return { schema: { ...beside, [kind]: others }, isNullable: isNullable || written.nullable === true }
    const shape = shapeOf(document, only, steps + 1)
    return { ...shape, schema: { ...shape.schema, ...beside }, isNullable: isNullable || shape.isNullable }
  }
  if (typeof written.type === 'string' || written.type === undefined) return { schema: written, isNullable: written.nullable === true }
  const types = written.type.filter((type) => type !== 'null')
  const [only] = types
  const schema = { ...written, type: types.length === 1 && only !== undefined ? only : types }
  return { schema, isNullable: types.length < written.type.length }
}

/** Returns the type in JSON Schema terms: `string <date-time>`, `array of Node`, `integer or null`. */
export function typeOf(document: OpenApi, written: Schema): string {
  const { schema, name, isNullable } = shapeOf(document, written)
  const type = name ?? ownType(document, schema)
  return isNullable ? `${type} or null` : type
}

function ownType(document: OpenApi, schema: Schema): string {
  const { type, format, items, oneOf, anyOf, allOf, not, enum: values } = schema
  const types = (parts: readonly Schema[], word: string): string =>
    [
      ...new Set(parts.map((part) => (part.$ref === undefined ? ownType(document, shapeOf(document, part).schema) : nameIn(part.$ref)))),
    ].join(` ${word} `)
  const alternatives = oneOf ?? anyOf
  if (alternatives !== undefined) return types(alternatives, 'or')
  if (allOf !== undefined) return types(allOf, 'and')
  if (items !== undefined) return `array of ${typeOf(document, items)}`
  if (not !== undefined && Object.keys(not).length === 0) return 'never'
  const declared = typeof type === 'string' ? type : type?.join(' or ')
  const name = declared ?? (schema.properties ? 'object' : values ? 'enum' : schema.const === undefined ? 'any' : typeof schema.const)
  return format === undefined ? name : `${name} <${format}>`
}

const keywords = [
  'const',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'contentMediaType',
  'contentEncoding',
  'example',
] as const

/** Returns the other constraints by their JSON Schema keywords: `minimum: 1`. */
export function rulesOf({ enum: values, ...schema }: Schema): readonly string[] {
  const members: Readonly<Record<string, unknown>> = { ...schema }
  const rules = keywords.filter((keyword) => members[keyword] !== undefined).map((keyword) => `${keyword}: ${shown(members[keyword])}`)
  return values === undefined ? rules : [`enum: ${values.map(shown).join(', ')}`, ...rules]
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the nested schemas: for a list, its items. */
export function insideOf(document: OpenApi, written: Schema, steps = 0): Shape {
  const shape = shapeOf(document, written)
  return shape.schema.items === undefined || steps > maxSteps ? shape : insideOf(document, shape.schema.items, steps + 1)
}
