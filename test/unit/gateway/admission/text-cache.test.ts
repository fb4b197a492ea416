import { expect, it } from 'vitest'
import { maxKeptText, textCache } from '../../../../gateway/admission/text-cache.ts'

it('keeps no more than 2 Mi characters of texts, whatever their number, and none that is too long', () => {
  const cache = textCache<{ readonly text: string }>(1000)
  for (let index = 0; index < 1000; index += 1) {
    const text = `${index} ${'x'.repeat(maxKeptText)}`.slice(0, maxKeptText)
    cache.set(text, { text })
  }
  expect(cache.size).toBe((2 * 1024 * 1024) / maxKeptText)
  cache.set('y'.repeat(maxKeptText + 1), { text: '' })
  expect(cache.has('y'.repeat(maxKeptText + 1))).toBe(false)
})
