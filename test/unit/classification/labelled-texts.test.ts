import { describe, expect, it } from 'vitest'
import { readLabelledTexts } from '../../../subgraphs/classification/evaluation/labelled-texts.ts'

const read = (content: string, format: 'csv' | 'ndjson' = 'csv') => readLabelledTexts(content, format, new Set(['water', 'water/wells']))

describe('labelled texts', () => {
  it('name a domain or a sub-domain', () => {
    expect(read('text,lang,domain\nThe well is dry,en,water/wells\n')).toEqual([
      { text: 'The well is dry', lang: 'en', domain: 'water/wells', sentiment: '' },
    ])
  })

  it.each([
    ['another separator', 'text;lang;domain\nThe well is dry;en;water\n', 'csv'],
    ['other columns', 'texte,langue\nLe puits est à sec,fr\n', 'csv'],
    ['other members', '{"texte": "Le puits est à sec"}\n', 'ndjson'],
  ] as const)('with %s are refused with the names that are read', (_, content, format) => {
    expect(() => read(content, format)).toThrow('name the columns or members text, lang, domain and sentiment')
  })

  it('are refused at the row of another domain', () => {
    expect(() => read('text,domain\nDry,water\nDry,well\n')).toThrow('Row 2: domain "well" is not in the taxonomy')
  })
})
