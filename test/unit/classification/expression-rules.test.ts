import { describe, expect, it } from 'vitest'
import { newExpression } from '../../../subgraphs/classification/intake/expression-rules.ts'
import { InvalidInput } from '../../../subgraphs/foundation/fault.ts'

describe('the text of an expression', () => {
  it.each([
    ['zero-width spaces and joiners', '\u200b\u200d\u2060\ufeff'],
    ['marks of direction', '\u200e\u202a\u202c\u2069'],
    ['fillers and variation selectors', '\u3164\u115f\ufe0f\u034f'],
    ['soft hyphens between spaces', '\u00ad \u00a0\u00ad'],
    ['tags', '\u{e0041}\u{e007f}'],
  ])('is refused by name where nothing of it can be seen: %s', (_, text) => {
    const refused = (): unknown => newExpression({ text })
    expect(refused).toThrow(InvalidInput)
    const entry = { code: 'blank', path: ['text'], message: 'String should have a character that can be seen' }
    expect(refused).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT', details: { entries: [entry] } }))
  })

  it.each(['!', '👍', '👩‍🚀', '水', 'ماء', '1', 'a\u200b', '\u0e49', '€', '\u200fנ'])(
    'is taken where something of it can be seen: %s',
    (text) => {
      expect(newExpression({ text }).text).toBe(text)
    },
  )
})
