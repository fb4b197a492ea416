import { describe, expect, it } from 'vitest'
import { InvalidInput } from '../../../foundation/fault.ts'
import { newExpression } from '../../../subgraphs/classification/intake/expression-rules.ts'

describe('the text of an expression', () => {
  it.each([
    ['zero-width spaces and joiners', '\u200b\u200d\u2060\ufeff'],
    ['marks of direction', '\u200e\u202a\u202c\u2069'],
    ['fillers and variation selectors', '\u3164\u115f\ufe0f\u034f'],
    ['soft hyphens between spaces', '\u00ad \u00a0\u00ad'],
    ['tags', '\u{e0041}\u{e007f}'],
  ])('is refused by field when it has no visible character: %s', (_, text) => {
    const create = (): unknown => newExpression({ text })
    expect(create).toThrow(InvalidInput)
    const entry = { code: 'blank', path: ['text'], message: 'String should have a character that can be seen' }
    expect(create).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries: [entry] } }))
  })

  it.each(['!', '👍', '👩‍🚀', '水', 'ماء', '1', 'a\u200b', '\u0e49', '€', '\u200fנ'])(
    'is accepted when it has a visible character: %s',
    (text) => {
      expect(newExpression({ text }).text).toBe(text)
    },
  )
})

describe('the createdAt of an expression', () => {
  const now = Date.parse('2026-11-27T12:00:00.000Z')
  const momentOf = (createdAt: string) => newExpression({ text: 'x', createdAt: new Date(createdAt) }, now).createdAt?.toISOString()

  it.each([
    ['1900-01-01T00:00:00.000Z', '1900-01-01T00:00:00.000Z'],
    ['2026-11-27T11:59:59.999Z', '2026-11-27T11:59:59.999Z'],
    ['2026-11-27T12:00:00.001Z', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27T12:05:00.000Z', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27T14:05:00.000+02:00', '2026-11-27T12:00:00.000Z'],
  ])('%s is stored as %s', (createdAt, stored) => {
    expect(momentOf(createdAt)).toBe(stored)
  })

  it.each(['2026-11-27T12:05:00.001Z', '9998-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', '1899-12-31T23:59:59.999Z', 'yesterday'])(
    '%s is refused by name',
    (createdAt) => {
      const entry = expect.objectContaining({ code: 'out_of_range', path: ['createdAt'] })
      expect(() => momentOf(createdAt)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries: [entry] } }))
    },
  )
})
