import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import { shippedTaxonomy, shippedTaxonomyFile } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'
import { asDomains } from '../../../subgraphs/classification/taxonomy/as-domains.ts'
import { contentViolations, differencesOf } from '../../../subgraphs/classification/taxonomy/taxonomy-content.ts'
import { inOrder } from '../../../subgraphs/classification/taxonomy/taxonomy-edits.ts'
import { readTaxonomyFile, type TaxonomyFormat, writeTaxonomyFile } from '../../../subgraphs/classification/taxonomy/taxonomy-file.ts'

const shipped: TaxonomyContent = inOrder({ domains: asDomains(shippedTaxonomy), successors: {} })
const read = (text: string, format: TaxonomyFormat) => readTaxonomyFile(Buffer.from(text), format)
const header = 'id,parent,field,lang,value\n'

describe('the file of a taxonomy', () => {
  it('is the one in which the platform ships its taxonomy', () => {
    expect(readTaxonomyFile(readFileSync(shippedTaxonomyFile), 'json')).toEqual(shipped)
    expect(contentViolations(shipped)).toEqual([])
  })

  it.each(['label', 'description', 'example', 'word'])(
    'with `__proto__` as the language of a %s is refused like any other invalid one',
    (field) => {
      const rows = `a,,label,fr,Un\na,,${field},__proto__,Deux\n`
      expect(() => readTaxonomyFile(Buffer.from(`id,parent,field,lang,value\n${rows}`), 'csv')).toThrow(
        `Line 3, column 4: a ${field}s __proto__: A language is a code of two or three letters`,
      )
    },
  )

  it.each(['json', 'csv'] as const)('as %s is read as it was written', (format) => {
    const content: TaxonomyContent = {
      domains: [
        {
          id: 'a',
          parentId: null,
          slug: 'a',
          position: 0,
          labels: { fr: 'Un, "deux"' },
          descriptions: { fr: 'Dit plus' },
          examples: {},
          words: {},
        },
        {
          id: 'x',
          parentId: 'a',
          slug: 's',
          position: 0,
          labels: { ar: 'سوق' },
          descriptions: {},
          examples: { ar: ['نص', 'آخر'], fr: ['-5 degrés', '=1+1', "le prix, '- trop cher", '＝SOMME(A1)'] },
          words: { ar: 'سوق بيع' },
        },
      ],
      successors: { gone: 'a', lost: null },
    }
    expect(read(writeTaxonomyFile(content, format), format)).toEqual(content)
    expect(read(writeTaxonomyFile(shipped, format), format)).toEqual(shipped)
    if (format === 'csv') expect(writeTaxonomyFile(content, format)).toContain("x,a,example,fr,'=1+1\r\n")
  })

  it('has a byte order mark if a spreadsheet writes one', () => {
    expect(read(`\uFEFF${header}a,,label,fr,Un\n`, 'csv').domains).toHaveLength(1)
  })

  const label = `${header}a,,label,fr,Un\n`
  it.each([
    ['another separator', 'id;parent;field;lang;value\na;;label;fr;Un\n', 'Line 1, column 3: The columns are separated by ";"'],
    ['another header', 'id,parent,kind,lang,value\n', 'Line 1, column 3: The first line must be id,parent,field,lang,value'],
    ['an unknown field', `${label}a,,labels,en,One\n`, 'Line 3, column 3: Unknown field "labels"'],
    ['a row that is too short', `${label}a,,label,en\n`, 'Line 3, column'],
    ['an open quote', `${label}a,,label,en,"One\n`, 'The file is not CSV'],
    ['no language', `${label}a,,example,,One\n`, 'Line 3, column 4: The language is missing'],
    ['two labels', `${label}a,,label,fr,Une\n`, 'Line 3, column 4: An earlier row has a label of a in fr'],
    ['two parents', `${label}b,,label,fr,Deux\nc,a,label,fr,Trois\nc,b,example,fr,Quatre\n`, 'Line 5, column 2: The parent of c is a'],
    ['an unknown parent', `${label}b,z,label,fr,Deux\n`, 'Line 3, column 2: b parent: The parent is not a domain'],
    ['a cycle', `${header}a,b,label,fr,Un\nb,a,label,fr,Deux\n`, 'Line 2, column 2: a parent: The parent is a sub-domain of this domain'],
    ['a third level', `${label}b,a,label,fr,Deux\nc,b,label,fr,Trois\n`, 'Line 4, column 2: c parent: The parent is a sub-domain'],
    [
      'a phrase of two domains',
      `${label}a,,example,fr,Plus d’eau\nb,,label,fr,Deux\nb,,example,fr,plus  d’eau\n`,
      'Line 5, column 5: b examples fr 0: The phrase is already an example of a',
    ],
    [
      'a phrase of two domains in other accents, capitals and punctuation',
      `${label}a,,example,fr,Plus d’eau à Bè !\nb,,label,fr,Deux\nb,,example,fr,PLUS D'EAU A BE\n`,
      'Line 5, column 5: b examples fr 0: The phrase is already an example of a',
    ],
    ['a long label', `${header}a,,label,fr,${'x'.repeat(10_000)}\n`, 'Line 2, column 5: a labels fr: At most 120 characters, not 10000'],
    [
      'another script',
      `${header}a,,label,ar,Marché\n`,
      'Line 2, column 5: a labels ar: The label has no letter of the script in which Arabic is written',
    ],
    [
      'a name for a language',
      `${header}a,,label,wolof,Ja\n`,
      'Line 2, column 4: a labels wolof: A language is a code of two or three letters',
    ],
    ['a code that no language has', `${header}a,,label,zz,Ja\n`, 'Line 2, column 4: a labels zz: No language has the code zz'],
    ['a longer code', `${label}a,,example,fra,Cher\n`, 'Line 3, column 4: a examples fra: The code of this language is fr, not fra'],
    ['an id in capitals', `${header}Marché,,label,fr,Marché\n`, 'An id has 1 to 100 lower-case letters'],
    ['an unknown successor', `${label}b,,successor,,z\n`, 'Line 3, column 5: b successor: The successor is not a domain'],
    [
      'successors in a circle',
      `${label}b,,successor,,c\nc,,successor,,b\n`,
      'Line 3, column 5: b successor: The successors of this domain form a cycle',
    ],
    ['no domain', header, 'A taxonomy has at least one domain'],
  ])('as CSV with %s is refused with line and column', (_, text, message) => {
    expect(() => read(text, 'csv')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringContaining(message) }))
  })

  it('has any language of ISO 639-3, also one without a name in ICU', () => {
    const [domain] = read(`${label}a,,label,wo,Ja\na,,label,mnk,Marsewo\na,,label,knf,Marse\n`, 'csv').domains
    expect(Object.keys(domain?.labels ?? {})).toEqual(['fr', 'wo', 'mnk', 'knf'])
  })

  it('in another encoding is refused with line and column', () => {
    const latin = Buffer.concat([Buffer.from(`${header}a,,label,fr,March`), Buffer.from([0xe9, 0x0a])])
    expect(() => readTaxonomyFile(latin, 'csv')).toThrow('Line 2, column 18: The file is not encoded in UTF-8')
    expect(() => readTaxonomyFile(Buffer.from(label, 'utf16le'), 'csv')).toThrow('Line 1, column 2: The file has NUL characters')
    expect(() => readTaxonomyFile(Buffer.from(`\uFEFF${label}`, 'utf16le'), 'csv')).toThrow('encoded in UTF-16')
  })

  it.each([
    ['{"domains": [\n  {"id": "a",\n}', 'Line 3, column 1: The file is not JSON'],
    ['{"domains": [\n  {"id": "a"}]}', 'Line 2, column 3: domains 0 labels'],
    ['{"domains": [\n  {"id": "a", "labels": {"fr": "Un"}, "label": 1}]}', 'Line 2, column 3: domains 0'],
    ['{"domains": [\n  {"id": "a", "labels": {\n    "fr": " Un"}}]}', 'Line 3, column 11: a labels fr: A text is not empty'],
    [
      '{"domains": [\n  {"id": "a", "labels": {"fr": "Un"}},\n  {"id": "a", "labels": {"fr": "Un"}}]}',
      'Line 3, column 3: domains 1: Another domain has the id a: choose a different one',
    ],
    [
      '{"domains": [\n  {"id": "a", "labels": {"fr": "Un"}, "examples": {"fr": ["Plus d’eau !"]}},\n  {"id": "b", "labels": {"fr": "Deux"},\n   "examples": {"en": ["plus d\'eau…"]}}]}',
      'Line 4, column 24: b examples en 0: The phrase is already an example of a',
    ],
    ['{"domains": []}', 'Line 1, column 13: A taxonomy has at least one domain'],
    ['[]', 'Line 1, column 1'],
  ])('as JSON %j is refused with line and column', (text, message) => {
    expect(() => read(text, 'json')).toThrow(message)
  })

  it('is refused with a million phrases, in seconds', () => {
    const rows = Array.from({ length: 1_000_000 }, (_, n) => `a,,example,fr,p${n}`)
    expect(() => read(`${label}${rows.join('\n')}\n`, 'csv')).toThrow('The file has more than 150000 rows')
  }, 20_000)

  it('differs from another one by what a dry run lists', () => {
    const changed = read(`${header}health,,label,fr,Santé\nmarkets,,label,fr,Marchés\nold,,successor,,health\n`, 'csv')
    const before = read(`${header}health,,label,fr,Soins\nold,,label,fr,Ancien\n`, 'csv')
    expect(differencesOf(before, changed).map(({ kind, id, to }) => [kind, id, to])).toEqual([
      ['labels', 'health', null],
      ['added', 'markets', null],
      ['retired', 'old', 'health'],
    ])
    const ordered = read(`${header}a,,label,fr,Un\nb,,label,fr,Deux\nc,,label,fr,Trois\n`, 'csv')
    const kinds = (text: string) => differencesOf(ordered, read(`${header}${text}`, 'csv')).map(({ kind, id }) => [kind, id])
    // the others move up, but none has another place among those that remain
    expect(kinds('b,,label,fr,Deux\nc,,label,fr,Trois\n')).toEqual([['retired', 'a']])
    expect(kinds('a,,label,fr,Un\nc,,label,fr,Trois\nb,,label,fr,Deux\n')).toEqual([
      ['reordered', 'c'],
      ['reordered', 'b'],
    ])
  })
})
