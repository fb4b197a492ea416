import { expect, it } from 'vitest'
import { defaultLimits, parseWithin } from '../../../../gateway/admission/operation-limits.ts'

it('refuses a deeply nested document without a stack overflow, whatever its number of tokens', () => {
  const limits = { ...defaultLimits, tokens: 1_000_000 }
  for (const document of [`{ house(id: ${'['.repeat(100_000)}) }`, '{ house '.repeat(100_000), '{ ... '.repeat(100_000)])
    expect(() => parseWithin(document, limits)).toThrow('The operation has values or selections that are nested too deep')
})
