import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'
import { GraphQLSafeInt } from 'graphql-scalars'
import { rfc3339 } from '../clock.ts'
import { InvalidInput } from '../fault.ts'
import { wrongType } from '../validation/violation.ts'
import { ImageContentScalar } from './image-content.ts'

/** RFC 3339, section 5.6; seconds are optional */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i

/** Whether the leading date exists: Date would read 30 February as 2 March. */
export const isDay = (text: string): boolean => new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10))

const notADate = (message: string): InvalidInput => new InvalidInput(message, [{ code: 'not_a_date', path: [], message }])

const read = (value: unknown): Date => {
  const [text] = (typeof value === 'string' ? moment.exec(value) : null) ?? []
  const at = text === undefined ? new Date(Number.NaN) : new Date(text)
  if (text === undefined || Number.isNaN(at.getTime()) || !isDay(text))
    throw notADate('Input should be a date and time with an offset (RFC 3339), such as 2026-01-31T12:00:00.000Z')
  return at
}

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant in UTC with milliseconds: a date-time of RFC 3339, for example 2026-01-31T12:00:00.000Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => rfc3339(value instanceof Date ? value : read(value)),
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
})

const readDay = (value: unknown): string => {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value)) return value
  throw notADate('Input should be a date such as 2026-01-31')
}

/** A calendar date as text; it has no time zone. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar date: a full-date of RFC 3339, for example 2026-01-31.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: readDay,
  parseValue: readDay,
  parseLiteral: (node) => readDay(node.kind === Kind.STRING ? node.value : undefined),
})

/** Any JSON value: the metadata of a content node belongs to its tenant, and each audited action has its own details. */
export const Json = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

const notSafe = 'Input should be a whole number from -(2^53 - 1) to 2^53 - 1'

const readSafeInt = (value: unknown): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new InvalidInput(notSafe, [wrongType([], notSafe)])
}

/** Whole numbers that exceed an Int. Unlike GraphQLSafeInt, a refusal does not repeat the value. */
export const SafeInt = new GraphQLScalarType<number, number>({
  ...GraphQLSafeInt.toConfig(),
  parseValue: readSafeInt,
  parseLiteral: (node) => readSafeInt(node.kind === Kind.INT ? Number(node.value) : undefined),
})

/** Scalars of inputs that refuse values. The gateway validates them, so that a refusal is a request error; `JSON` accepts every value. */
export const validatedScalars: readonly GraphQLScalarType[] = [DateScalar, DateTime, ImageContentScalar, SafeInt]
