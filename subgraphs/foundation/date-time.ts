import { GraphQLScalarType, Kind } from 'graphql'
import { rfc3339 } from './clock.ts'
import { InvalidInput } from './fault.ts'

const read = (value: unknown): Date => {
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value) : undefined
  if (at === undefined || Number.isNaN(at.getTime()))
    throw new InvalidInput('A DateTime is an RFC 3339 string such as 2026-01-31T12:00:00.000Z')
  return at
}

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment: RFC 3339 in UTC with milliseconds, 2026-01-31T12:00:00.000Z',
  serialize: (value) => rfc3339(value instanceof Date ? value : read(value)),
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
})
