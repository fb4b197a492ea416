import { expect, it } from 'vitest'
import { DateTime } from '../../../foundation/graphql/scalars.ts'

it.for([
  ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31t12:00z', '2026-01-31T12:00:00.000Z'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
] as const)('reads %s as %s', ([text, moment]) => {
  expect(DateTime.parseValue(text).toISOString()).toBe(moment)
})

it.for(['2026-01-31T12:00:00', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-01-31', '2026-13-01T00:00:00Z', '', 5, null])(
  'refuses %o',
  (value) => {
    expect(() => DateTime.parseValue(value)).toThrow('Input should be a date and time with an offset')
  },
)
