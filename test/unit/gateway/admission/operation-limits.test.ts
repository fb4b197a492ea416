import { expect, it } from 'vitest'
import { defaultLimits, parseWithin } from '../../../../gateway/admission/operation-limits.ts'

it('a document that would end the stack of who reads it is beyond the limits, however many tokens it may have', () => {
  const limits = { ...defaultLimits, tokens: 1_000_000 }
  for (const document of [`{ house(id: ${'['.repeat(100_000)}) }`, '{ house '.repeat(100_000), '{ ... '.repeat(100_000)])
    expect(() => parseWithin(document, limits)).toThrow('The operation has values or selections that are nested too deep')
})
