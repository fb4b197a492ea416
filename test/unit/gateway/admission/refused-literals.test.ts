import { buildSchema, type GraphQLSchema, isScalarType } from 'graphql'
import { expect, it } from 'vitest'
import { InvalidInput } from '../../../../foundation/fault.ts'
import { operationsOf } from '../../../../gateway/admission/prepared-operation.ts'
import { InvalidOperation } from '../../../../gateway/errors/masked-result.ts'

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
      throw new InvalidInput('A Day is a day of the calendar')
    }
}

/** Entries of the refusals of a document. */
function refused(text: string): unknown {
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
  ['{ all(input: "x") }', ['input']],
  ['query ($stay: Stay = {from: "x"}) { all(filter: $stay) }', ['from']],
  ['query { ...f } fragment f on Query { all(day: "x") }', ['day']],
])('says where the literal stands that a scalar refused: %s', (text, path) => {
  expect(refused(text)).toEqual([[{ code: 'invalid', path, message: 'A Day is a day of the calendar' }]])
})

it('says of each of several where it stands', () => {
  expect(refused('{ all(day: "x", filter: {from: "y", next: {from: "z"}}) }')).toMatchObject([
    [{ path: ['day'] }],
    [{ path: ['from'] }],
    [{ path: ['next', 'from'] }],
  ])
})
