import { buildSchema, type GraphQLSchema, isScalarType } from 'graphql'
import { expect, it } from 'vitest'
import { InvalidInput } from '../../../../foundation/fault.ts'
import { InvalidOperation } from '../../../../gateway/errors/masked-result.ts'
import { operationsOf } from '../../../../gateway/operation/prepared-operation.ts'

const schema = buildSchema(`
  scalar Day
  input Stay { from: Day  days: [Day!]  next: Stay }
  type Query { all(day: Day, filter: Stay, stays: [Stay!], input: Day): Int  house: House }
  type House { visits(since: Day): Int }`)
refuseAll(schema)

function refuseAll({ getType }: GraphQLSchema): void {
  const Day = getType.call(schema, 'Day')
  if (isScalarType(Day))
    Day.parseLiteral = () => {
      throw new InvalidInput('A Day is a calendar date')
    }
}

/** Returns the entries of the errors of a document. */
function entriesOf(text: string): unknown {
  try {
    operationsOf(schema, 1)(text)
  } catch (error) {
    if (error instanceof InvalidOperation) return error.errors.map(({ extensions }) => extensions.entries)
    throw error
  }
  return undefined
}

it.each([
  ['{ all(day: "x") }', ['day']],
  ['{ house { visits(since: "x") } }', ['since']],
  ['{ all(filter: {from: "x"}) }', ['from']],
  ['{ all(filter: {days: ["x"]}) }', ['days', 0]],
  ['{ all(stays: [{}, {next: {from: "x"}}]) }', ['stays', 1, 'next', 'from']],
  ['{ all(input: "x") }', []],
  ['query ($stay: Stay = {from: "x"}) { all(filter: $stay) }', ['from']],
  ['query { ...f } fragment f on Query { all(day: "x") }', ['day']],
])('an entry has the path of a literal that a scalar refused: %s', (text, path) => {
  expect(entriesOf(text)).toEqual([[{ code: 'invalid', path, message: 'A Day is a calendar date' }]])
})

it('each of several refused literals has an entry with its path', () => {
  expect(entriesOf('{ all(day: "x", filter: {from: "y", next: {from: "z"}}) }')).toMatchObject([
    [{ path: ['day'] }],
    [{ path: ['from'] }],
    [{ path: ['next', 'from'] }],
  ])
})
