import { GraphQLScalarType, Kind } from 'graphql'
import { InvalidInput } from '../fault.ts'
import { isDay } from './date-time.ts'

const read = (value: unknown): string => {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value)) return value
  throw new InvalidInput('A Date is a day such as 2026-01-31')
}

/** A day of the calendar, as text: it has no moment until somebody says where. */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar date: a full-date of RFC 3339, for example 2026-01-31.',
  serialize: read,
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
})
