import { describe, expect, it } from 'vitest'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { evaluateTexts } from '../../../subgraphs/classification/commands/evaluate-texts.ts'

const evaluate = (content: string, format: 'ndjson' | 'csv') =>
  evaluateTexts(content, format, {
    encoder: projectionEncoder(),
    languageModel: undefined,
    executionProviders: ['cpu'],
    signal: AbortSignal.timeout(60_000),
  })

describe('an evaluation', () => {
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
