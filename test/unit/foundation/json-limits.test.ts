import { describe, expect, it } from 'vitest'
import { closingQuote, exceededJsonLimit, jsonLimitSteps } from '../../../foundation/validation/json-limits.ts'

const limits = { depth: 3, values: 10, nameLength: 8 }
const exceeded = (value: unknown): string | undefined => exceededJsonLimit(JSON.stringify(value), limits)

describe('exceededJsonLimit', () => {
  it('accepts a value at each limit', () => {
    expect(exceeded([[[]]])).toBeUndefined()
    expect(exceeded([1, 2, 3, 4, 5, 6, 7, 8])).toBeUndefined()
    expect(exceeded({ '12345678': 'a string value of any length' })).toBeUndefined()
  })

  it('names the exceeded limit', () => {
    expect(exceeded([[[[]]]])).toBe('depth')
    expect(exceeded([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBe('values')
    expect(exceeded([{}, {}, {}, {}, {}, {}, {}, {}, {}, {}])).toBe('values')
    expect(exceeded({ '123456789': 1 })).toBe('nameLength')
    expect(exceededJsonLimit('{"123456789" \n\t : 1}', limits)).toBe('nameLength')
  })

  it('ignores brackets, commas and quotes inside strings', () => {
    expect(exceeded(['[[[[{{{{', ',,,,,,,,,,,,,,,,', '\\"[[[[\\\\'])).toBeUndefined()
    expect(exceeded({ a: '"'.repeat(100) })).toBeUndefined()
  })

  it('finds the closing quote of a string', () => {
    expect(closingQuote('"a"', 0)).toBe(2)
    expect(closingQuote(String.raw`"a\"\\"`, 0)).toBe(6)
    expect(closingQuote(String.raw`"a\"`, 0)).toBe(-1)
  })

  it('gives the same answer in steps, which are bounded even within strings', () => {
    for (const value of [{ a: '"'.repeat(1000) }, { '123456789': 1 }, [[[[]]]], { a: ['x'.repeat(1000), 'y'] }]) {
      const json = JSON.stringify(value)
      const steps = jsonLimitSteps(json, limits, 10)
      let count = 1
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) count += 1
      expect(step.value).toBe(exceededJsonLimit(json, limits))
      if (json.startsWith('{"a":"')) expect(count).toBeGreaterThan(100)
    }
  })

  it('leaves text that is not JSON to the parser', () => {
    for (const text of ['', '"', '"\\"', '{"a', ']]]]', '{"a"']) expect(exceededJsonLimit(text, limits)).toBeUndefined()
  })
})
