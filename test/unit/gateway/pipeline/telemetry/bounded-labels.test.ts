import { expect, it } from 'vitest'
import { boundedLabels } from '../../../../../gateway/pipeline/telemetry/bounded-labels.ts'

it('distinguishes at most the maximum number of values', () => {
  const labels = boundedLabels({ max: 5, after: 2 })
  const values = new Set<string>()
  for (let round = 0; round < 3; round += 1) for (let each = 0; each < 5000; each += 1) values.add(labels.of(`value_${each % 700}`))
  expect(values.size).toBe(6)
  expect(values).toContain('other')
})

it('distinguishes frequent values, and known ones at once', () => {
  const labels = boundedLabels({ max: 5, after: 3 })
  expect([1, 2, 3, 4].map(() => labels.of('often'))).toEqual(['other', 'other', 'often', 'often'])
  expect(labels.of('known', () => true)).toBe('known')
})

it('rejects values that may be more than a name', () => {
  const labels = boundedLabels({ max: 5 })
  for (const value of ['', 'a b', '1', 'x'.repeat(65), 'Jean-Paul', 'a@b', 'a\n']) expect(labels.of(value)).toBe('other')
})
