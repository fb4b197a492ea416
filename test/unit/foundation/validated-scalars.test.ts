import {
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
} from 'graphql'
import { expect, it } from 'vitest'
import { InvalidInput } from '../../../foundation/fault.ts'
import { SafeInt, validatedScalars } from '../../../foundation/graphql/scalars.ts'
import { clientSchema } from '../../support/clients/client-schema.ts'

it('the gateway validates every scalar of an input that can refuse a value', () => {
  const inputs = Object.values(clientSchema.getTypeMap()).flatMap((type): GraphQLInputType[] => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => field.type)
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap(({ args }) => args.map((arg) => arg.type))
  })
  const custom = inputs.map((type) => getNamedType(type)).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
  const names = new Set(custom.map(({ name }) => name))
  names.delete('JSON')
  expect([...names].sort()).toEqual(validatedScalars.map(({ name }) => name).sort())
})

it('a SafeInt is a whole number up to 2^53 - 1, and a refusal does not repeat the value', () => {
  expect([SafeInt.parseValue(2 ** 53 - 1), SafeInt.parseLiteral({ kind: Kind.INT, value: '-5' })]).toEqual([2 ** 53 - 1, -5])
  for (const value of [2 ** 53, 1.5, '7', true, null, {}]) expect(() => SafeInt.parseValue(value), String(value)).toThrow(InvalidInput)
  for (const node of [
    { kind: Kind.INT, value: '9007199254740992' },
    { kind: Kind.STRING, value: 'secret' },
  ] as const)
    expect(() => SafeInt.parseLiteral(node)).toThrow('Input should be a whole number from -(2^53 - 1) to 2^53 - 1')
})

it('a refused date has the code of dates', () => {
  const refused = validatedScalars.filter(({ name }) => /^Date/.test(name))
  for (const scalar of refused)
    try {
      scalar.parseValue('31/12/2026')
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        details: { entries: [{ code: 'not_a_date', path: [], message: expect.stringContaining('such as 2026-01-31') }] },
      })
    }
})
