import { GraphQLScalarType, Kind } from 'graphql'
import { rfc3339 } from '../clock.ts'
import { InvalidInput } from '../fault.ts'

/** RFC 3339, section 5.6; seconds are optional */
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i

/** Whether the leading date exists: Date would read 30 February as 2 March. */
export const isDay = (text: string): boolean => new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10))

const read = (value: unknown): Date => {
  const [text] = (typeof value === 'string' ? moment.exec(value) : null) ?? []
  const at = text === undefined ? new Date(Number.NaN) : new Date(text)
  if (text === undefined || Number.isNaN(at.getTime()) || !isDay(text))
    throw new InvalidInput('Input should be a date and time with an offset (RFC 3339), such as 2026-01-31T12:00:00.000Z')
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
  throw new InvalidInput('Input should be a date such as 2026-01-31')
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
