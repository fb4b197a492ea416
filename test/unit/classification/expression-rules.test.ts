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
    const entry = { code: 'blank', path: ['text'], message: 'String should have at least one visible character' }
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

describe('an expression with several invalid members', () => {
  const given = {
    text: '',
    lang: 'zzzzz',
    createdAt: new Date('1800-01-01'),
    source: 'x'.repeat(513),
    location: { lat: 100, lon: 500, city: '\u0000' },
  }
  const entriesOf = (languages: 'refused' | 'detected') => {
    try {
      newExpression(given, undefined, languages)
    } catch (error) {
      if (error instanceof InvalidInput) return error.details.entries?.map(({ code, path }) => [code, ...path])
      throw error
    }
    return undefined
  }
  const others = [
    ['out_of_range', 'createdAt'],
    ['too_large', 'location', 'lat'],
    ['too_large', 'location', 'lon'],
    ['unstorable_text', 'location', 'city'],
  ]

  it('is refused with an entry for each', () => {
    expect(entriesOf('refused')).toEqual([['too_short', 'text'], ['too_long', 'source'], ['unknown', 'lang'], ...others])
  })

  it('has its language detected over REST and in files, where the code is unknown', () => {
    expect(entriesOf('detected')).toEqual([['too_short', 'text'], ['too_long', 'source'], ...others])
    expect(newExpression({ text: 'bonjour', lang: 'zzzzz' }).lang).toBeNull()
    expect(newExpression({ text: 'bonjour', lang: 'fra' }, undefined, 'refused').lang).toBe('fr')
    // Mandinka, which ICU has no name for
    expect(newExpression({ text: 'bonjour', lang: 'mnk' }, undefined, 'refused').lang).toBe('mnk')
  })
})
