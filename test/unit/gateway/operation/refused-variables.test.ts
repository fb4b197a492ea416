import { buildSchema, isScalarType } from 'graphql'
import { expect, it } from 'vitest'
import { InvalidInput } from '../../../../foundation/fault.ts'
import { operationsOf } from '../../../../gateway/operation/prepared-operation.ts'
import { variableChecks } from '../../../../gateway/operation/variable-values.ts'

const schema = buildSchema(`
  scalar Day
  enum Kind { A B }
  input Stay { from: Day  days: [Day!]  kind: Kind  guests: Int!  next: Stay }
  input Search { text: String!  stay: Stay }
  type Query { all(filter: Stay, input: Search, stays: [Stay!], since: Day): Int }`)
const Day = schema.getType('Day')
if (isScalarType(Day))
  Day.parseValue = (value) => {
    if (value === '2026-01-31') return value
    throw new InvalidInput('Input should be a day')
  }

/** Entries of the refusals of a variable `$v`. */
function refused(text: string, v: unknown): unknown {
  const operation = operationsOf(schema, 1)(text)
  return variableChecks(schema)(operation, { v }).flatMap(({ extensions }) => extensions.entries)
}

it.each([
  ['query ($v: Day) { all(since: $v) }', 'x', ['since']],
  ['query ($v: Stay) { all(filter: $v) }', { from: 'x', guests: 1 }, ['from']],
  ['query ($v: Stay) { all(filter: $v) }', { days: ['2026-01-31', 'x'], guests: 1 }, ['days', 1]],
  ['query ($v: Day!) { all(filter: {days: ["2026-01-31", $v], guests: 1}) }', 'x', ['days', 1]],
  ['query ($v: Stay!) { all(stays: [{guests: 1}, $v]) }', { next: { from: 'x', guests: 1 }, guests: 1 }, ['stays', 1, 'next', 'from']],
  ['query ($v: Stay) { all(input: {text: "t", stay: $v}) }', { from: 'x', guests: 1 }, ['stay', 'from']],
  ['query ($v: Search) { ...F } fragment F on Query { all(input: $v) }', { text: 't', stay: { from: 'x', guests: 1 } }, ['stay', 'from']],
])('reports the path of a refused scalar from the argument of the field on: %s', (text, value, path) => {
  expect(refused(text, value)).toEqual([{ code: 'invalid', path, message: 'Input should be a day' }])
})

it.each(['input', 'filter'])('the path of a whole %s is empty', (argument) => {
  const type = argument === 'input' ? 'Search' : 'Stay'
  expect(refused(`query ($v: ${type}) { all(${argument}: $v) }`, 5)).toEqual([
    { code: 'not_an_object', path: [], message: `Input should be an object of type "${type}"` },
  ])
})

it('reports every invalid member, and unknown members whose name is an identifier', () => {
  const stay = { from: 'x', days: [1], kind: 'C', other: 1, [`${'x'.repeat(100)}`]: 1, 'not a name': 1 }
  expect(refused('query ($v: Search) { all(input: $v) }', { stay })).toEqual([
    { code: 'required', path: ['text'], message: 'Field required' },
    { code: 'invalid', path: ['stay', 'from'], message: 'Input should be a day' },
    { code: 'invalid', path: ['stay', 'days', 0], message: 'Input should be a day' },
    { code: 'wrong_type', path: ['stay', 'kind'], message: 'Input should be of type "Kind"' },
    { code: 'required', path: ['stay', 'guests'], message: 'Field required' },
    { code: 'unknown_member', path: ['stay', 'other'], message: 'Type "Stay" has no such field' },
    { code: 'unknown_member', path: ['stay'], message: 'Type "Stay" has no such field' },
    { code: 'unknown_member', path: ['stay'], message: 'Type "Stay" has no such field' },
  ])
})
