import { expect, it } from 'vitest'
import { checkLimits, defaultLimits, parseWithin } from '../../../../gateway/admission/operation-limits.ts'

it('refuses a deeply nested document without a stack overflow, whatever its number of tokens', () => {
  const limits = { ...defaultLimits, tokens: 1_000_000 }
  for (const document of [`{ house(id: ${'['.repeat(100_000)}) }`, '{ house '.repeat(100_000), '{ ... '.repeat(100_000)])
    expect(() => parseWithin(document, limits)).toThrow('The operation has values or selections that are nested too deep')
})

it.each([
  ['a field', (field: string) => `{ house { ${field.repeat(200)} } }`],
  ['a fragment that no operation spreads', (field: string) => `{ __typename } fragment F on House { ${field.repeat(200)} }`],
  [
    'fragments',
    (field: string) =>
      `{ house { ${'... F '.repeat(2)} ${'... { owner { ...G } } '.repeat(150)} } } fragment F on House { ${field} } fragment G on Person { name }`,
  ],
])('refuses fields of one name in %s that validation would compare with each other', (_, documentOf) => {
  const check = (field: string) => checkLimits(parseWithin(documentOf(field), defaultLimits), defaultLimits)
  expect(() => check('owner { name } ')).toThrow('The operation has more than 5000 pairs of fields with the same name at the same place')
})

it.each([
  ['fragments that spread each other', '{ house { ...F } } fragment F on House { a { ...F ...F } b { ...F } }', 'more than 1000 fields'],
  [
    'a large fragment that no operation spreads',
    `{ house { id } } fragment F on House { ${Array.from({ length: 1001 }, (_, n) => `f${n}`).join(' ')} }`,
    'more than 1000 fields',
  ],
])('counts the fields of %s', (_, text, reason) => {
  expect(() => checkLimits(parseWithin(text, defaultLimits), defaultLimits)).toThrow(`The operation has ${reason}`)
})

it('accepts fragments that select the same fields', () => {
  const fragments = Array.from({ length: 15 }, (_, n) => `fragment F${n} on House { id name owner { id name } }`)
  const text = `{ houses { ${fragments.map((_, n) => `...F${n}`).join(' ')} } } ${fragments.join(' ')}`
  expect(() => checkLimits(parseWithin(text, defaultLimits), defaultLimits)).not.toThrow()
})
