import {
  execute,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  parse,
} from 'graphql'
import { expect, it } from 'vitest'
import { InvalidInput } from '../../../../foundation/fault.ts'
import { maskedError } from '../../../../gateway/errors/masked-error.ts'
import { recordedLog } from '../../../support/gateway/town.ts'

it('names the argument that a subgraph refused, and repeats its value neither to the client nor in the log', () => {
  const { log, lines } = recordedLog()
  const error = new GraphQLError('Argument "input" has invalid value {selfie: "c2VsZmll", firstName: "Awa"}.')
  const masked = maskedError(error, { requestId: 'r', log })
  expect(masked.toJSON()).toEqual({
    message: 'Argument "input" has an invalid value.',
    extensions: {
      code: 'BAD_USER_INPUT',
      entries: [{ code: 'wrong_type', path: [], message: 'It has an invalid value' }],
      requestId: 'r',
    },
  })
  expect(JSON.stringify(lines)).not.toContain('c2VsZmll')
})

const Day = new GraphQLScalarType({
  name: 'Day',
  parseValue: () => {
    throw new InvalidInput('A Day is a calendar day')
  },
})
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { all: { type: GraphQLInt } } }),
  types: [new GraphQLInputObjectType({ name: 'Stay', fields: { from: { type: Day } } })],
})
const stays = parse('query ($stay: Stay, $filter: Stay, $input: [Stay!], $day: Day) { all }')

it.each([
  [{ day: '2026-02-30' }, ['day']],
  [{ stay: { from: '2026-02-30' } }, ['stay', 'from']],
  [{ filter: { from: '2026-02-30' } }, ['from']],
  [{ input: [{}, { from: 'x" at "input.other"; y' }] }, [1, 'from']],
  [{ day: 'x" at "filter.other"; y' }, ['day']],
])('has the path of a value in a variable that a scalar refused: %o', async (variables, path) => {
  const { errors = [] } = await execute({ schema, document: stays, variableValues: variables })
  const [error] = errors
  const masked = maskedError(error ?? new GraphQLError('none'), { requestId: 'r', log: recordedLog().log })
  expect(masked.extensions.entries).toEqual([{ code: 'invalid', path, message: 'A Day is a calendar day' }])
  expect(masked.message).not.toMatch(/2026-02-30|other/)
})
