import { describe, expect, it } from 'vitest'
import { addressOf, placeIn } from '../../../web/reader/place/place.ts'
import { searchTexts } from '../../../web/reader/search/search-texts.ts'
import { viewIn } from '../../../web/reader/service/whole-tree.ts'
import { beside, childrenOf, emptyOutline, filled, shownIn, stale, unread, withView } from '../../../web/shared/content/outline/outline.ts'
import type { ContentText } from '../../../web/shared/content/place/content-view.ts'
import { movesFor, type PlacedText } from '../../../web/shared/content/writing/placement.ts'
import { changesOf, conflictsOf, emptyFields, rebased } from '../../../web/shared/content/writing/text-fields.ts'

const text = (id: string, parent_id: string | null, more: Partial<ContentText> = {}): ContentText => ({
  ...{ id, parent_id, external_id: null, tenant_id: 't', title: id, slug: id, summary: null, body: null, body_format: 'markdown' },
  ...{ locale: null, position: 0, depth: 0, children_count: 0, media: [], metadata: {} },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  ...more,
})
const tree = [text('top', null), text('a', 'top'), text('a1', 'a'), text('a2', 'a'), text('b', 'top')]
const view = (id: string) => {
  const current = viewIn(tree, id, undefined)
  if (current === undefined) throw new Error(id)
  return current
}

describe('a tree that is loaded completely', () => {
  it('contains for each text the data that the service would return', () => {
    expect(view('a1')).toMatchObject({
      node: { id: 'a1', path: ['top', 'a', 'a1'] },
      ancestors: [{ id: 'top' }, { id: 'a' }],
      children: [],
    })
    expect(viewIn(tree, undefined, undefined)?.children.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(viewIn(tree, 'none', undefined)).toBeUndefined()
  })
})

describe('the outline', () => {
  it('opens the path to a text, requests unknown branches, and finds adjacent texts', () => {
    const shown = withView(emptyOutline, view('a1'))
    expect(shown.top).toBe('top')
    expect(unread(shown)).toEqual(['top', 'a'])
    const read = filled(filled(shown, 'top', view('top'), true), 'a', view('a'), true)
    expect(unread(read)).toEqual([])
    expect(childrenOf(read, 'top').map(({ id }) => id)).toEqual(['a', 'b'])
    expect(beside(read, 'a1', 'a').map((each) => each?.id)).toEqual([undefined, 'a2'])
    expect(unread(stale(read))).toEqual(['top', 'a', 'a1'].slice(0, 2))
  })

  it('shows a text far behind the loaded pages until they reach it', () => {
    const shown = withView(emptyOutline, view('a2'))
    const first = filled(shown, 'a', { children: [text('a1', 'a')], next: 'more' }, true)
    const of = (outline: typeof first) => shownIn(outline.branches.get('a') ?? expect.fail())
    expect(of(first)).toEqual(['a1', 'a2'])
    expect(of(filled(first, 'a', { children: [text('a2', 'a')], next: undefined }, false))).toEqual(['a1', 'a2'])
    // the text was moved in the meantime
    expect(of(filled(stale(first), 'a', { children: [text('a1', 'a')], next: undefined }, true))).toEqual(['a1'])
  })
})

describe('moving a text to a position', () => {
  const sorted = (texts: readonly PlacedText[]) =>
    texts.toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
  const after = (texts: readonly PlacedText[], id: string, index: number) => {
    let now = sorted(texts)
    const others = (all: readonly PlacedText[]) => all.filter((each) => each.id !== id).map((each) => each.id)
    const before = others(now)
    for (const move of movesFor(now, id, index)) {
      now = sorted([...now.filter((each) => each.id !== move.id), move])
      expect(others(now)).toEqual(before)
    }
    return now.map((each) => each.id)
  }
  it.each([
    ['close together', [0, 1, 2, 3]],
    ['with room between', [0, 10, 20, 30]],
    ['all at one position', [0, 0, 0, 0]],
  ])('among others that are %s, which keep their order', (_, positions) => {
    const texts = positions.map((position, at) => ({ id: 'abcd'[at] ?? '', position }))
    for (const id of 'abcd')
      for (let index = 0; index < 4; index++) {
        const others = [...'abcd'].filter((each) => each !== id)
        expect(after(texts, id, index)).toEqual([...others.slice(0, index), id, ...others.slice(index)])
      }
  })
  it('takes two changes to swap neighbours, and one where there is room', () => {
    const close = [0, 1, 2, 3].map((position, at) => ({ id: 'abcd'[at] ?? '', position }))
    expect(movesFor(close, 'c', 1)).toEqual([
      { id: 'b', position: 2 },
      { id: 'c', position: 1 },
    ])
    expect(movesFor(close, 'a', 3)).toEqual([{ id: 'a', position: 4 }])
  })
})

describe('changes of two people to one text', () => {
  const base = { ...emptyFields, title: 'T', body: 'B' }
  it('are merged when they change different fields, and conflict when they change the same field differently', () => {
    const mine = { ...base, title: 'mine', summary: 'same' }
    const theirs = { ...base, body: 'theirs', summary: 'same' }
    expect(conflictsOf(base, mine, theirs)).toEqual([])
    expect(changesOf(base, mine)).toEqual({ title: 'mine', summary: 'same' })
    expect(conflictsOf(base, { ...mine, body: 'my own' }, theirs)).toEqual(['body'])
    expect(rebased(base, mine, theirs)).toEqual({ ...theirs, title: 'mine' })
    expect(changesOf({ ...base, summary: 'S' }, base)).toEqual({ summary: null })
  })
})

describe('an address', () => {
  it('contains tenant, text and language, each only if it is not the default', () => {
    expect(addressOf({ tenant: '', id: undefined }, undefined)).toBe('/')
    const address = addressOf({ tenant: 'town', id: 'a b' }, 'ar')
    expect(placeIn(address.slice(1))).toEqual({ tenant: 'town', id: 'a b' })
    expect(address).toContain('lang=ar')
  })
})

describe('a search', () => {
  const texts = [
    text('one', null, { title: 'École', body: 'A [link](https://example.org/secret) to **all** of it' }),
    text('two', 'one', { title: 'أين المدرسة', body: '| a | b |\n|--|--|\n| école | x |' }),
  ]
  it('matches all words regardless of case, diacritics and letter forms, titles first', () => {
    expect(searchTexts(texts, 'ECOLE').map(({ text: { id } }) => id)).toEqual(['one', 'two'])
    expect(searchTexts(texts, 'اين المدرسه').map(({ text: { id } }) => id)).toEqual(['two'])
    expect(searchTexts(texts, 'école nowhere')).toEqual([])
    expect(searchTexts(texts, ' , ')).toEqual([])
  })
  it('shows matches in rendered text', () => {
    expect(searchTexts(texts, 'link')[0]?.excerpt).toBe('A link to all of it')
    expect(searchTexts(texts, 'ecole')[1]?.excerpt).toBe('a b école x')
  })
})
