import { describe, expect, it } from 'vitest'
import {
  bounded,
  type Camera,
  firstUnit,
  fittingUnit,
  type Picture,
  pictureOf,
  revealing,
  zoomed,
} from '../../../web/reader/pyramid/picture.ts'
import {
  besideInRow,
  findShown,
  lastShown,
  type PyramidNode,
  PyramidTree,
  pathTo,
  startOf,
} from '../../../web/reader/pyramid/pyramid-tree.ts'
import { viewIn } from '../../../web/reader/service/whole-tree.ts'
import type { ContentText, ContentView } from '../../../web/shared/content/place/content-view.ts'

const text = (id: string, parent_id: string | null, more: Partial<ContentText> = {}): ContentText => ({
  ...{ id, parent_id, external_id: null, tenant_id: 't', title: id, slug: id, summary: null, body: null, body_format: 'markdown' },
  ...{ locale: null, position: 0, depth: 0, children_count: 0, media: [], metadata: {} },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  ...more,
})
const small = [
  text('top', null, { children_count: 2 }),
  text('a', 'top', { depth: 1, children_count: 2 }),
  text('a1', 'a', { depth: 2 }),
  text('a2', 'a', { depth: 2 }),
  text('b', 'top', { depth: 1, children_count: 1 }),
  text('b1', 'b', { depth: 2 }),
]
const viewOf = (texts: readonly ContentText[], id?: string): ContentView => viewIn(texts, id, undefined) ?? expect.fail(`no ${id}`)
const page = (parent: string, depth: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => text(`${parent}.${from + at}`, parent, { depth }))
const idsOf = (nodes: readonly PyramidNode[]) => nodes.map(({ id }) => id)
const at = (tree: PyramidTree, id: string): PyramidNode => tree.get(id) ?? expect.fail(`no ${id}`)

/** A tree with these texts open, and the root as the current text. */
function opened(texts: readonly ContentText[], ...ids: readonly string[]): PyramidTree {
  const tree = new PyramidTree()
  const root = tree.addView(viewOf(texts))
  tree.setOpen(root, true)
  tree.setCurrent(root)
  for (const id of ids) {
    tree.addPage(at(tree, id), viewOf(texts, id), true)
    tree.setOpen(at(tree, id), true)
  }
  return tree
}

const size = { width: 1000, height: 600 }
const drawn = ({ blocks, fillers }: Picture): number => blocks.length + fillers.length

describe('the tree of a pyramid', () => {
  it('is as wide as its shown texts, and walks along rows and in the order of the tree', () => {
    const tree = opened(small, 'a', 'b')
    expect([at(tree, 'top').width, at(tree, 'top').height, startOf(at(tree, 'b'))]).toEqual([3, 2, 2])
    expect(besideInRow(at(tree, 'a2'), 1)?.id).toBe('b1')
    expect(besideInRow(at(tree, 'b1'), -1)?.id).toBe('a2')
    expect(besideInRow(at(tree, 'b1'), 1)).toBeUndefined()
    expect(lastShown(at(tree, 'top')).id).toBe('b1')
    expect(findShown(at(tree, 'b'), ({ id }) => id.startsWith('a'))?.id).toBe('a')
    tree.setOpen(at(tree, 'b'), false)
    expect([at(tree, 'top').width, lastShown(at(tree, 'top')).id]).toEqual([3, 'b'])
    expect(besideInRow(at(tree, 'a2'), 1)).toBeUndefined()
  })

  it('selects the closed text when the current one is below it, and the parent of a removed one', () => {
    const tree = opened(small, 'a')
    tree.setCurrent(at(tree, 'a1'))
    tree.setOpen(at(tree, 'a'), false)
    expect(tree.current?.id).toBe('a')
    expect(tree.remove(at(tree, 'a'))?.id).toBe('top')
    expect([tree.current?.id, tree.get('a1'), at(tree, 'top').text.children_count]).toEqual(['top', undefined, 1])
  })

  it('shows the path to a text whose siblings are on other pages, until a page contains it', () => {
    const tree = new PyramidTree()
    const [root, late] = [text('w', null, { children_count: 10_000 }), text('w.77', 'w', { depth: 1 })]
    tree.setCurrent(tree.addView(viewOf([root, late], 'w.77')))
    expect(idsOf(pathTo(tree.current))).toEqual(['w', 'w.77'])
    const top = at(tree, 'w')
    tree.addPage(top, { children: page('w', 1, 0, 50), next: 'more' }, true)
    expect([top.listed, top.children.at(-1)?.id, top.width]).toEqual([50, 'w.77', 52])
    expect(idsOf(pictureOf(tree, { x: 52, y: 1, unit: 120 }, size).continued)).toEqual([])
    tree.addPage(top, { children: page('w', 1, 50, 100), next: 'more' }, false)
    expect([top.listed, top.children[77]?.id, tree.current?.index]).toEqual([100, 'w.77', 77])
  })

  it('connects a text above or beside the loaded ones, and drops what is not connected', () => {
    const chain = Array.from({ length: 300 }, (_, n) => text(`d${n}`, n === 0 ? null : `d${n - 1}`, { depth: n, children_count: 1 }))
    const tree = new PyramidTree()
    tree.setCurrent(tree.addView({ ...viewOf(chain, 'd250') }))
    expect([tree.top?.id, tree.top?.depth]).toEqual(['d151', 151])
    tree.addAncestors(at(tree, 'd151'), viewOf(chain, 'd151').ancestors)
    expect([tree.top?.id, pathTo(tree.current).length, tree.top?.height]).toEqual(['d52', 199, 198])
    const root = tree.addView(viewOf(chain))
    expect([tree.top?.id, tree.top === root, tree.get('d250')?.id, tree.current?.id]).toEqual(['d0', true, undefined, undefined])
  })

  it('follows a text that was moved, and drops texts that a complete list does not contain', () => {
    const tree = opened(small, 'a', 'b')
    tree.setCurrent(at(tree, 'a1'))
    tree.addPage(at(tree, 'b'), { children: [text('a1', 'b', { depth: 2 })], next: undefined }, true)
    expect([idsOf(at(tree, 'a').children), at(tree, 'a1').parent?.id, tree.get('b1'), tree.current?.id]).toEqual([
      ['a2'],
      'b',
      undefined,
      'a',
    ])
  })
})

describe('the picture of a pyramid', () => {
  const first = (tree: PyramidTree): Camera =>
    revealing(tree, tree.current ?? expect.fail(), { x: 0, y: 0, unit: firstUnit(tree, size) }, size)

  it('places each row below its parents, in the order of the tree, and mentions what is to be loaded', () => {
    const tree = opened(small, 'a')
    tree.setOpen(at(tree, 'b'), true)
    const { blocks, unread, fillers } = pictureOf(tree, first(tree), size)
    expect(idsOf(blocks.map(({ node }) => node))).toEqual(['top', 'a', 'a1', 'a2', 'b'])
    expect(idsOf(unread)).toEqual(['b'])
    expect(fillers.map(({ kind }) => kind)).toEqual(['pending'])
    const tops = new Map(blocks.map(({ node, top }) => [node.id, top]))
    expect(tops.get('a1')).toBeGreaterThan(tops.get('a') ?? 0)
    expect(tops.get('a')).toBe(tops.get('b'))
  })

  it('keeps the point under the pointer in place while it zooms, within its bounds', () => {
    const tree = opened(small, 'a')
    const camera = { x: 1.4, y: 1, unit: 180 }
    const to = zoomed(camera, size, 240, { start: 200, top: 100 })
    expect(to.x + (200 - 500) / 240).toBeCloseTo(camera.x + (200 - 500) / 180)
    expect(bounded(tree, { ...camera, unit: 1e9 }, size).unit).toBe(420)
    expect(bounded(tree, { ...camera, unit: 0 }, size).unit).toBe(40)
    expect(bounded(tree, { ...camera, x: -900 }, size).x).toBeGreaterThan(0)
  })

  it('shows 10,000 children as runs from afar and few blocks from near, with the current text among them', () => {
    const tree = opened([text('w', null, { children_count: 10_000 }), ...page('w', 1, 0, 10_000)])
    tree.setCurrent(at(tree, 'w.9000'))
    const whole = pictureOf(tree, bounded(tree, { x: 0, y: 0, unit: fittingUnit(tree, size) }, size), size)
    expect(idsOf(whole.blocks.map(({ node }) => node))).toEqual(['w', 'w.9000'])
    expect(whole.fillers.map(({ kind }) => kind)).toEqual(['run', 'run'])
    const near = pictureOf(tree, { x: 20, y: 1, unit: 120 }, size)
    expect(near.blocks.length).toBeLessThan(14)
    expect(near.blocks.at(-1)?.node.id).toBe('w.9000')
  })

  it('continues a list whose end is in view at a readable size only', () => {
    const tree = new PyramidTree()
    const root = tree.addView({ ...viewOf([text('w', null, { children_count: 10_000 })]), children: page('w', 1, 0, 50), next: 'more' })
    tree.setOpen(root, true)
    tree.setCurrent(root)
    expect(idsOf(pictureOf(tree, { x: 50, y: 1, unit: 120 }, size).continued)).toEqual(['w'])
    expect(pictureOf(tree, { x: 5, y: 1, unit: 120 }, size).continued).toEqual([])
    const whole = pictureOf(tree, { x: 40, y: 1, unit: 21 }, size)
    expect([whole.continued, whole.fillers.map(({ kind }) => kind)]).toEqual([[], ['more']])
  })

  it('draws a few hundred elements of 50,000 open texts at any size and place, also of a chain of 3,000', () => {
    const texts = Array.from({ length: 50_000 }, (_, n) => {
      const children_count = Math.max(0, Math.min(10, 50_000 - 1 - n * 10))
      return text(`n${n}`, n === 0 ? null : `n${Math.floor((n - 1) / 10)}`, {
        depth: n === 0 ? 0 : Math.floor(Math.log10(9 * n)),
        children_count,
      })
    })
    const children = Map.groupBy(texts.slice(1), ({ parent_id }) => parent_id)
    const tree = new PyramidTree()
    tree.setCurrent(tree.addView(viewOf(texts.slice(0, 1))))
    for (const { id } of texts) {
      const below = children.get(id)
      if (below === undefined) continue
      tree.addPage(at(tree, id), { children: below, next: undefined }, true)
      tree.setOpen(at(tree, id), true)
    }
    expect([tree.size, tree.top?.width]).toEqual([50_000, 45_000])
    for (const unit of [0.02, 0.3, 2, 12, 40, 120, 420])
      for (const x of [0, 22_000, 44_990])
        expect(drawn(pictureOf(tree, bounded(tree, { x, y: 5, unit }, size), size)), `${unit} px at ${x}`).toBeLessThan(400)

    const chain = new PyramidTree()
    for (let n = 0; n < 3000; n++) {
      const node = text(`d${n}`, n === 0 ? null : `d${n - 1}`, { depth: n, children_count: n < 2999 ? 1 : 0 })
      if (n === 0) chain.addView({ ...viewOf([node]) })
      else {
        chain.addPage(at(chain, `d${n - 1}`), { children: [node], next: undefined }, true)
        chain.setOpen(at(chain, `d${n - 1}`), true)
      }
    }
    chain.setCurrent(at(chain, 'd2999'))
    expect(drawn(pictureOf(chain, first(chain), size))).toBeLessThan(40)
    expect(chain.top?.height).toBe(2999)
  })
})
