import type { OpenApi, Schema } from '../interface/openapi.ts'
import { shapeOf } from '../interface/shape.ts'

/** A value that breaks a rule of its schema. */
export interface Violation {
  /** such as `identity.first_name` or `jobs[2].priority` */
  readonly field: string
  readonly rule: Rule
  /** limit of the rule */
  readonly allowed?: string | number
}

export type Rule =
  | 'required'
  | 'type'
  | 'enum'
  | 'minimum'
  | 'maximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'pattern'
  | 'unknown'
  | 'none-of'

/** maximum nesting of alternatives for one value */
const deepest = 20

/**
 * Returns the violations of a schema by a value, for the supported rules; the service checks the others.
 * @param field - name of the value
 */
export function violationsOf(document: OpenApi, written: Schema, value: unknown, field: string, depth = 0): readonly Violation[] {
  if (depth > deepest) return []
  const { schema, isNullable } = shapeOf(document, written)
  if (value === null && isNullable) return []
  const { oneOf, anyOf, allOf, type, enum: values } = schema
  const alternatives = oneOf ?? anyOf
  if (allOf !== undefined) return allOf.flatMap((part) => violationsOf(document, part, value, field, depth + 1))
  if (alternatives !== undefined)
    return alternatives.some((each) => violationsOf(document, each, value, field, depth + 1).length === 0)
      ? []
      : [{ field, rule: 'none-of' }]
  const types = typeof type === 'string' ? [type] : type
  if (types !== undefined && !types.some((each) => isOf(each, value))) return [{ field, rule: 'type', allowed: types.join(', ') }]
  const allowed = values ?? (schema.const === undefined ? undefined : [schema.const])
  if (allowed !== undefined && !allowed.includes(value)) return [{ field, rule: 'enum', allowed: allowed.map(String).join(', ') }]
  if (typeof value === 'number') return limits(field, schema, value, ['minimum', 'maximum'])
  if (typeof value === 'string')
    return [...limits(field, schema, [...value].length, ['minLength', 'maxLength']), ...pattern(field, schema, value)]
  if (Array.isArray(value)) return inList(document, schema, value, field)
  return typeof value === 'object' && value !== null ? inObject(document, schema, value as Record<string, unknown>, field) : []
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  // the remaining keywords are supported too
  return typeof value === type
}

type Limits = readonly ['minimum' | 'minLength' | 'minItems', 'maximum' | 'maxLength' | 'maxItems']

function limits(field: string, schema: Schema, value: number, [minKeyword, maxKeyword]: Limits): readonly Violation[] {
  const { [minKeyword]: from = -Infinity, [maxKeyword]: to = Infinity } = schema
  if (value < from) return [{ field, rule: minKeyword, allowed: from }]
  return value > to ? [{ field, rule: maxKeyword, allowed: to }] : []
}

function pattern(field: string, { pattern: rule }: Schema, value: string): readonly Violation[] {
  if (rule === undefined) return []
  try {
    // linear: patterns of the platform's own OpenAPI documents
    return new RegExp(rule, 'u').test(value) ? [] : [{ field, rule: 'pattern', allowed: rule }]
  } catch {
    // a pattern in another regular expression dialect
    return []
  }
}

function inList(document: OpenApi, schema: Schema, value: readonly unknown[], field: string): readonly Violation[] {
  const { items = {} } = schema
  return [
    ...limits(field, schema, value.length, ['minItems', 'maxItems']),
    ...value.flatMap((item, at) => violationsOf(document, items, item, `${field}[${at}]`)),
  ]
}

function inObject(document: OpenApi, schema: Schema, value: Readonly<Record<string, unknown>>, field: string): readonly Violation[] {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const fieldOf = (name: string): string => (field === '' ? name : `${field}.${name}`)
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ field: fieldOf(name), rule: 'required' as const }))
  const wrong = Object.entries(value).flatMap(([name, member]): readonly Violation[] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property !== undefined) return violationsOf(document, property, member, fieldOf(name))
    if (others === false) return [{ field: fieldOf(name), rule: 'unknown' }]
    return typeof others === 'object' ? violationsOf(document, others, member, fieldOf(name)) : []
  })
  return [...missing, ...wrong]
}
