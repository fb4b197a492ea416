import { describe, expect, it } from 'vitest'
import type { Taxonomy } from '../../../engines/analytics-store/analytics-store.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { evaluateTexts } from '../../../subgraphs/classification/commands/evaluate-texts.ts'

const evaluate = (content: string | Uint8Array, format: 'ndjson' | 'csv', taxonomy?: Taxonomy) =>
  evaluateTexts(content, format, {
    taxonomy,
    encoder: projectionEncoder(),
    languageModel: undefined,
    executionProviders: ['cpu'],
    signal: AbortSignal.timeout(60_000),
  })

describe('an evaluation', () => {
  it('uses the published taxonomy, where a retired domain is its successor', async () => {
    const domain = (id: string, phrases: readonly string[]) => ({
      ...{ id, parentId: null, slug: id, position: 0, labels: { fr: id }, descriptions: {}, words: {} },
      examples: { fr: phrases },
    })
    const taxonomy = {
      version: 'v7',
      number: 7,
      domains: [domain('markets', ['Le marché est fermé', 'Le riz du marché est cher']), domain('roads', ['La route est coupée'])],
      successors: new Map([['trade', 'markets']]),
    }
    const rows = ['{"text":"Le marché est cher","domain":"trade"}', '{"text":"La route est longue","domain":"roads"}']
    const report = await evaluate(rows.join('\n'), 'ndjson', taxonomy)
    expect(report).toContain('Taxonomy: published version 7')
    expect(report).toContain('| any | 2 | 1.000 |')
    await expect(evaluate('{"text":"a","domain":"health"}\n', 'ndjson', taxonomy)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('refuses a file in another encoding, whose accents would be lost', async () => {
    await expect(evaluate(Buffer.from('text,domain\nLe marché est fermé,health\n', 'latin1'), 'csv')).rejects.toThrow(
      'Line 2, column 9: The file is not encoded in UTF-8',
    )
  })

  it.each([
    ['{"text":"Pas d’eau","domain":"water-sanitation"}\n{"text":"Pas d’eau","domain":"watr"}\n', 'ndjson', 'Row 2: domain "watr"'],
    ['text,domain\nPas d’eau,Water\n', 'csv', 'Row 1: domain "Water"'],
    ['{"text":"Pas d’eau","sentiment":"bad"}\n', 'ndjson', 'Row 1: sentiment'],
    ['{"text":" "}\n', 'ndjson', 'Row 1: text'],
    ['{"text":\n', 'ndjson', 'Row 1 is not JSON'],
    ['\n', 'ndjson', 'The file has no rows'],
  ] as const)('reports the invalid part of %j', async (content, format, problem) => {
    await expect(evaluate(content, format)).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: expect.stringContaining(problem) })
  })
})
