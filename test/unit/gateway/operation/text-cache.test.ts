import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { operationsOf } from '../../../../gateway/operation/prepared-operation.ts'
import { maxCachedText, textCache } from '../../../../gateway/operation/text-cache.ts'

it('stores at most 384 Ki characters of text, whatever the number of texts, and no text above the limit', () => {
  const cache = textCache<{ readonly text: string }>(1000)
  for (let index = 0; index < 1000; index += 1) {
    const text = `${index} ${'x'.repeat(maxCachedText)}`.slice(0, maxCachedText)
    cache.set(text, { text })
  }
  expect(cache.size).toBe((384 * 1024) / maxCachedText)
  cache.set('y'.repeat(maxCachedText + 1), { text: '' })
  expect(cache.has('y'.repeat(maxCachedText + 1))).toBe(false)
})

const schema = buildSchema(`type Query { house: House }  type House { name: String  parent: House }`)
/** Returns a document with 19 fields for each spread of its fragment. */
const documentOf = (index: number, spreads: number): string =>
  `query Q${index} {${Array.from({ length: spreads }, (_, n) => ` h${n}: house { ...F }`).join('')} } fragment F on House {${' name'.repeat(18)} }`

it.each([
  { spreads: 1, retained: 'all', first: true },
  { spreads: 45, retained: 'the newest', first: false },
])('retains $retained of 300 operations whose fragments are spread $spreads times', ({ spreads, first }) => {
  const prepare = operationsOf(schema, 1000)
  const before = prepare(documentOf(0, spreads))
  for (let index = 1; index < 300; index += 1) prepare(documentOf(index, spreads))
  expect(prepare(documentOf(299, spreads))).toBe(prepare(documentOf(299, spreads)))
  expect(prepare(documentOf(0, spreads)) === before).toBe(first)
})
