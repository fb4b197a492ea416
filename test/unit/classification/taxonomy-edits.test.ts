import { describe, expect, it } from 'vitest'
import type { TaxonomyContent } from '../../../engines/analytics-store/analytics-store.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { contentViolations, missingLabels } from '../../../subgraphs/classification/taxonomy/taxonomy-content.ts'
import { edited, inOrder, rebased, type TaxonomyEdit } from '../../../subgraphs/classification/taxonomy/taxonomy-edits.ts'

const domain = (id: string, parentId: string | null, position: number, phrases: readonly string[] = []) => ({
  ...{ id, parentId, position, slug: id, descriptions: {}, words: { fr: `mot-${id}` } },
  labels: { fr: `Domaine ${id}` },
  examples: { fr: phrases },
})
const content: TaxonomyContent = {
  domains: [
    domain('trade', null, 0, ['On vend']),
    domain('health', null, 1),
    domain('trade/shops', 'trade', 0, ['La boutique est fermée']),
    domain('trade/food', 'trade', 1, ['Le riz est cher']),
    domain('health/care', 'health', 0, ['Le médecin est absent']),
  ],
  successors: { old: 'health' },
}
const editedBy = (...edits: readonly TaxonomyEdit[]): TaxonomyContent => edits.reduce(edited, content)
const shape = ({ domains, successors }: TaxonomyContent) => [
  domains.map(({ id, parentId, position }) => [id, parentId, position].join(' ')),
  successors,
]

describe('an edit of the taxonomy', () => {
  it('adds a domain and moves sub-domains into it, whose ids stay', () => {
    const markets = editedBy(
      { kind: 'add', id: 'markets', parentId: null, labels: { fr: 'Marchés' } },
      { kind: 'move', id: 'trade/food', parentId: 'markets' },
      { kind: 'move', id: 'trade/shops', parentId: 'markets', index: 0 },
    )
    expect(shape(markets)).toEqual([
      ['trade  0', 'health  1', 'markets  2', 'health/care health 0', 'trade/shops markets 0', 'trade/food markets 1'],
      { old: 'health' },
    ])
    expect(contentViolations(markets)).toEqual([])
  })

  it('merges a domain with its phrases, terms and sub-domains into another one, which replaces it', () => {
    const merged = editedBy({ kind: 'merge', id: 'trade', into: 'health' })
    expect(shape(merged)).toEqual([
      ['health  0', 'health/care health 0', 'trade/food health 1', 'trade/shops health 2'],
      { old: 'health', trade: 'health' },
    ])
    expect(merged.domains[0]).toMatchObject({ examples: { fr: ['On vend'] }, words: { fr: 'mot-health mot-trade' } })
  })

  it('merges phrases that differ in accents and punctuation only to those of the other domain', () => {
    // as in a version that is older than the rule
    const older = {
      ...content,
      domains: content.domains.map((each) => (each.id === 'health' ? { ...each, examples: { fr: ['On vend…'] } } : each)),
    }
    expect(edited(older, { kind: 'merge', id: 'trade', into: 'health' }).domains[0]?.examples).toEqual({ fr: ['On vend…'] })
  })

  it('retires and restores a domain, and adds phrases once', () => {
    const [retired = domain('', null, 0)] = content.domains.filter(({ id }) => id === 'trade/food')
    const gone = editedBy({ kind: 'retire', id: 'trade/food', successorId: 'trade/shops' })
    expect(gone.successors).toEqual({ old: 'health', 'trade/food': 'trade/shops' })
    expect(shape(edited(gone, { kind: 'restore', domain: retired }))).toEqual(shape(content))
    const more = editedBy({
      kind: 'phrases',
      phrases: { 'health/care': [' Le  médecin est absent', 'Une ordonnance'].map((text) => ({ lang: 'fr', text: text.trim() })) },
    })
    expect(more.domains.find(({ id }) => id === 'health/care')?.examples).toEqual({ fr: ['Le médecin est absent', 'Une ordonnance'] })
  })

  it.each<[string, TaxonomyEdit, string]>([
    ['a merge with its own child', { kind: 'merge', id: 'trade', into: 'trade/food' }, 'into'],
    ['a merge with itself', { kind: 'merge', id: 'trade', into: 'trade' }, 'into'],
    ['a merge of a parent into a sub-domain', { kind: 'merge', id: 'trade', into: 'health/care' }, 'into'],
    ['a move into itself', { kind: 'move', id: 'trade', parentId: 'trade' }, 'parentId'],
    ['a move into its child', { kind: 'move', id: 'trade', parentId: 'trade/food' }, 'parentId'],
    ['a move of a parent', { kind: 'move', id: 'trade', parentId: 'health' }, 'id'],
    ['a third level', { kind: 'move', id: 'health/care', parentId: 'trade/food' }, 'parent'],
    ['an id that exists', { kind: 'add', id: 'trade', parentId: null, labels: { fr: 'Commerce' } }, 'id'],
    ['the id of a retired domain', { kind: 'add', id: 'old', parentId: null, labels: { fr: 'Ancien' } }, 'id'],
    ['no label', { kind: 'add', id: 'new', parentId: null, labels: {} }, 'labels'],
    ['a label of 10,000 characters', { kind: 'update', id: 'trade', labels: { fr: 'x'.repeat(10_000) } }, 'labels'],
    ['a label in another script', { kind: 'update', id: 'trade', labels: { ar: 'Commerce' } }, 'labels'],
    ['a phrase of another domain', { kind: 'update', id: 'health', examples: { fr: ['on VEND'] } }, 'examples'],
    ['a phrase of another domain in other punctuation', { kind: 'update', id: 'health', examples: { fr: ['On  vénd !'] } }, 'examples'],
    ['a domain with sub-domains', { kind: 'retire', id: 'trade', successorId: null }, 'id'],
    ['an unknown successor', { kind: 'retire', id: 'health/care', successorId: 'none' }, 'successorId'],
    ['an unknown domain', { kind: 'move', id: 'none', parentId: null }, 'id'],
    ['a domain that is not retired', { kind: 'restore', domain: domain('trade', null, 0) }, 'id'],
  ])('refuses %s at its member', (_, edit, member) => {
    expect(() => editedBy(edit)).toThrow(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        details: { entries: [expect.objectContaining({ path: expect.arrayContaining([member]) })] },
      }),
    )
  })

  it('has a code of its own for each rule, so that pages show it in their language', () => {
    const codeOf = (edit: TaxonomyEdit): unknown => {
      try {
        return editedBy(edit)
      } catch (error) {
        return error instanceof InvalidInput ? error.details.entries?.map(({ code }) => code) : error
      }
    }
    expect([
      codeOf({ kind: 'add', id: 'old', parentId: null, labels: { fr: 'Ancien' } }),
      codeOf({ kind: 'move', id: 'health/care', parentId: 'trade/food' }),
      codeOf({ kind: 'retire', id: 'trade', successorId: null }),
      codeOf({ kind: 'update', id: 'trade', labels: { ar: 'Commerce' } }),
      codeOf({ kind: 'update', id: 'trade', labels: { zz: 'Commerce' } }),
      codeOf({ kind: 'update', id: 'health', examples: { fr: ['on VEND'] } }),
    ]).toEqual([['id_taken'], ['tree_too_deep'], ['has_children'], ['wrong_script'], ['unknown_language'], ['duplicate_phrase']])
  })

  it('stays on a newer version, whose other domains it takes', () => {
    const draft = editedBy(
      { kind: 'update', id: 'trade/food', labels: { fr: 'Vivres' } },
      { kind: 'retire', id: 'health/care', successorId: 'trade/shops' },
      { kind: 'add', id: 'markets', parentId: null, labels: { fr: 'Marchés' } },
    )
    const published = editedBy(
      { kind: 'update', id: 'health', labels: { fr: 'Soins' } },
      { kind: 'add', id: 'justice', parentId: null, labels: { fr: 'Justice' } },
      { kind: 'retire', id: 'trade/shops', successorId: 'trade/food' },
    )
    const { content: now, updated } = rebased(draft, content, published)
    expect(shape(now)).toEqual([
      ['trade  0', 'health  1', 'justice  2', 'markets  3', 'trade/food trade 0'],
      { old: 'health', 'trade/shops': 'trade/food', 'health/care': 'trade/shops' },
    ])
    const labels = new Map(now.domains.map((each) => [each.id, each.labels]))
    expect([labels.get('trade/food'), labels.get('health')]).toEqual([{ fr: 'Vivres' }, { fr: 'Soins' }])
    expect(updated.toSorted()).toEqual(['health', 'justice', 'trade/shops'])
    expect(contentViolations(now)).toEqual([])
    // without changes of its own it is the newer version, and on its own base it is unchanged
    expect(rebased(content, content, published).content).toEqual(published)
    expect(rebased(draft, content, content)).toEqual({ content: draft, updated: [] })
  })

  it('breaks a rule on a newer version that has retired the parent', () => {
    const draft = editedBy({ kind: 'add', id: 'clinics', parentId: 'health', labels: { fr: 'Cliniques' } })
    const published = editedBy(
      { kind: 'retire', id: 'health/care', successorId: null },
      { kind: 'retire', id: 'health', successorId: 'trade' },
    )
    expect(contentViolations(rebased(draft, content, published).content)).toMatchObject([{ code: 'unknown', path: ['clinics', 'parent'] }])
  })

  it('is possible while another domain breaks a rule', () => {
    const broken = { ...content, domains: content.domains.map((each) => (each.id === 'health' ? { ...each, labels: {} } : each)) }
    expect(edited(broken, { kind: 'update', id: 'trade', labels: { fr: 'Commerce' } }).domains[0]?.labels).toEqual({ fr: 'Commerce' })
  })

  it('keeps order and rules in any sequence of random edits', () => {
    let seed = 7
    const pick = (count: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
      return seed % count
    }
    let current = content
    for (let n = 0; n < 400; n++) {
      const ids = current.domains.map(({ id }) => id)
      const id = ids[pick(ids.length)] ?? ''
      const other = ids[pick(ids.length)] ?? ''
      const edits: readonly TaxonomyEdit[] = [
        { kind: 'add', id: `n${n}`, parentId: pick(2) === 0 ? null : other, labels: { fr: `N ${n}` } },
        { kind: 'move', id, parentId: pick(3) === 0 ? null : other, index: pick(4) },
        { kind: 'merge', id, into: other },
        { kind: 'retire', id, successorId: pick(2) === 0 ? null : other },
      ]
      try {
        current = edited(current, edits[pick(edits.length)] ?? { kind: 'move', id, parentId: null })
      } catch (error) {
        expect(error).toMatchObject({ code: 'BAD_USER_INPUT' })
      }
      expect(contentViolations(current)).toEqual([])
      expect(inOrder(current)).toEqual(current)
    }
  })
})

it('lists domains without a label in a language that others have', () => {
  const labelled = editedBy({ kind: 'update', id: 'trade', labels: { fr: 'Commerce', ar: 'تجارة' } })
  const { languages, missing } = missingLabels(labelled)
  expect(languages).toEqual(['ar', 'fr'])
  expect(missing.map(({ id }) => id)).toEqual(['health', 'trade/shops', 'trade/food', 'health/care'])
})
