import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysBetween } from '../../../engines/tree-store/order-keys.ts'
import {
  type DraftView,
  isCut,
  nodesInParts,
  type TrashChunk,
  type TreeNode,
  type TreeStore,
  type TreeView,
} from '../../../engines/tree-store/tree-store.ts'

export interface StoreUnderTest {
  readonly store: TreeStore
  /** the same trees in another process */
  readonly other: TreeStore
  readonly close: () => Promise<void>
}

const at = new Date('2026-01-02T03:04:05.678Z')

/** Returns a node with all members set, replaced by the given ones. */
export function treeNode(members: Partial<TreeNode> & Pick<TreeNode, 'id' | 'orderKey'>): TreeNode {
  return {
    externalId: `ext-${members.id}`,
    parentId: null,
    title: `Title of ${members.id} — é 日本 مرحبا`,
    slug: members.id,
    summary: 'A "summary"',
    body: "# Heading\n\n\\ backslash, tab\t, quote '",
    locale: 'fr',
    media: [{ url: 'https://example.org/a.png', type: 'image/png', alt: null, caption: 'A' }],
    metadata: { nested: { list: [1, 'two', null] }, odd: 'NUL \u0000 and \ud800' },
    position: 0,
    depth: 0,
    childrenCount: 0,
    contentHash: `hash of ${members.id}`,
    createdAt: at,
    updatedAt: at,
    ...members,
  }
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* chunksIn(
  subtrees: readonly { readonly id: string; readonly about: string; readonly chunks: readonly string[] }[],
): AsyncGenerator<TrashChunk> {
  for (const { id, about, chunks } of subtrees) for (const nodes of chunks) yield { id, about, nodes }
}

export function treeStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`tree store: ${name}`, () => {
    const signal = (): AbortSignal => AbortSignal.timeout(120_000)
    let subject: StoreUnderTest
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(() => subject?.close())

    const newTenant = (): string => `t-${randomUUID()}`
    const put = (tenant: string, nodes: readonly TreeNode[], cleared: readonly string[] = []) =>
      subject.store.write(
        tenant,
        async (draft) => {
          await draft.clear(cleared, signal())
          await draft.put(nodes, signal())
        },
        signal(),
      )
    const latest = async (tenant: string, store = subject.store): Promise<TreeView> => {
      const view = await store.latest(tenant, signal())
      if (view === undefined) throw new Error('there is no tree')
      return view
    }
    const everything = async (view: TreeView, step = 1000): Promise<readonly TreeNode[]> => {
      const all: TreeNode[] = []
      for (;;) {
        const page = await view.slice(all.at(-1)?.orderKey, step, signal())
        all.push(...page)
        if (page.length < step) return all
      }
    }
    const ids = (nodes: readonly { readonly id: string }[]): string => nodes.map(({ id }) => id).join(' ')
    /** reads the latest version as a writer sees it; the write itself changes nothing */
    const reading = <Result>(tenant: string, read: (view: DraftView) => Promise<Result>): Promise<Result> =>
      subject.store.write(
        tenant,
        ({ base }) => {
          if (base === undefined) throw new Error('there is no tree')
          return read(base)
        },
        signal(),
      )

    /** r(a(x y) b c(z)), keys in pre-order */
    const family = (): readonly TreeNode[] => {
      const keys = keysBetween(undefined, undefined, 7)
      const rows = [
        ['r', null, 0, 0, 3],
        ['a', 'r', 0, 1, 2],
        ['x', 'a', 0, 2, 0],
        ['y', 'a', 1, 2, 0],
        ['b', 'r', 1, 1, 0],
        ['c', 'r', 2, 1, 1],
        ['z', 'c', 0, 2, 0],
      ] as const
      return rows.map(([id, parentId, position, depth, childrenCount], index) =>
        treeNode({ id, parentId, position, depth, childrenCount, orderKey: keys[index] ?? '' }),
      )
    }

    it('ends a list with the node whose texts exceed the limit, and continues after it', async () => {
      const tenant = newTenant()
      const keys = keysBetween(undefined, undefined, 13)
      const nodes = keys.map((orderKey, at) =>
        at === 0
          ? treeNode({ id: 'r', orderKey, childrenCount: 12 })
          : treeNode({ id: `n${at}`, parentId: 'r', depth: 1, position: at, orderKey, body: 'ж'.repeat(1_000_000) }),
      )
      await put(tenant, nodes)
      const view = await latest(tenant)
      const first = await view.slice(undefined, 1000, signal())
      expect([ids(first), isCut(first)]).toEqual(['r n1 n2 n3 n4 n5 n6 n7 n8 n9', true])
      const second = await view.slice(first.at(-1)?.orderKey, 1000, signal())
      expect([ids(second), isCut(second)]).toEqual(['n10 n11 n12', false])
      expect(ids(await view.children('r', undefined, 1000, signal()))).toBe('n1 n2 n3 n4 n5 n6 n7 n8 n9')
      expect(ids(await reading(tenant, (base) => base.before(undefined, 1000, signal())))).toBe('n12 n11 n10 n9 n8 n7 n6 n5 n4')
      const externalIds = nodes.map(({ externalId }) => externalId ?? '')
      expect(await reading(tenant, (base) => base.nodesByExternalId(externalIds, signal()))).toHaveLength(10)
      const parts = await collected(
        nodesInParts(
          view,
          nodes.map(({ id }) => id),
          signal(),
        ),
      )
      expect(parts.map((part) => part.length)).toEqual([10, 3])
      expect(
        parts
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(nodes.map(({ id }) => id).sort())
    })

    it('has no tree for a tenant without writes', async () => {
      const tenant = newTenant()
      expect(await subject.store.latest(tenant, signal())).toBeUndefined()
      expect(await subject.store.view(tenant, 1, signal())).toBeUndefined()
      expect((await subject.store.versions(signal())).map((version) => version.tenant)).not.toContain(tenant)
    })

    it('returns every member as it was written, also to other processes', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      expect(await everything(await latest(tenant, subject.other), 3)).toEqual(nodes)
      const [bare] = [
        treeNode({
          id: 'r',
          orderKey: nodes[0]?.orderKey ?? '',
          externalId: null,
          summary: null,
          body: null,
          locale: null,
          media: [],
          metadata: {},
        }),
      ]
      await put(tenant, [bare])
      expect((await (await latest(tenant)).slice(undefined, 1, signal()))[0]).toEqual(bare)
    })

    it('returns nodes, children and ancestors', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      const view = await latest(tenant)
      expect(view.version).toMatchObject({ tenant, number: 1 })
      expect((await view.nodes(['y', 'z', 'unknown'], signal())).map(({ id }) => id).sort()).toEqual(['y', 'z'])
      expect(await view.nodes([], signal())).toEqual([])
      expect(ids(await view.children('r', undefined, 10, signal()))).toBe('a b c')
      expect(ids(await view.children('r', undefined, 2, signal()))).toBe('a b')
      expect(ids(await view.children('r', nodes[4]?.orderKey, 10, signal()))).toBe('c')
      expect(await view.children('x', undefined, 10, signal())).toEqual([])
      const [y] = await view.nodes(['y'], signal())
      if (y === undefined) throw new Error('y is missing')
      expect(await view.ancestors(y, 100, signal())).toEqual(['a', 'r'])
      expect(await view.ancestors(y, 1, signal())).toEqual(['a'])
      expect(await view.ancestors({ parentId: null }, 100, signal())).toEqual([])
    })

    it('has the size of each version', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      const before = await latest(tenant)
      expect(await before.size(signal())).toEqual({ nodes: 7, depth: 2 })
      for (const top of nodes) {
        const inside = (await everything(before, 3)).slice(nodes.indexOf(top) + 1)
        const end = inside.findIndex(({ depth }) => depth <= top.depth)
        const subtree = [top, ...(end < 0 ? inside : inside.slice(0, end))]
        const depth = Math.max(...subtree.map((node) => node.depth))
        expect(await before.size(signal(), top), top.id).toEqual({ nodes: subtree.length, depth })
      }
      const removed = nodes.filter(({ depth }) => depth === 2).map(({ orderKey }) => orderKey)
      await subject.store.write(tenant, (draft) => draft.clear(removed, signal()), signal())
      expect(await (await latest(tenant)).size(signal())).toEqual({ nodes: 4, depth: 1 })
      expect(await before.size(signal())).toEqual({ nodes: 7, depth: 2 })
    })

    it('has no nodes under impossible names', async () => {
      const tenant = newTenant()
      await put(tenant, family())
      const odd = ['', 'NUL \u0000', '\ud800', 'x'.repeat(100_000), "'; drop table content_node; --"]
      expect(ids(await (await latest(tenant)).nodes([...odd, 'b'], signal()))).toBe('b')
      await reading(tenant, async (base) => expect(ids(await base.nodesByExternalId([...odd, 'ext-b'], signal()))).toBe('b'))
    })

    it('provides writers with the place of a node', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      const nodeOf = (id: string): TreeNode => nodes.find((node) => node.id === id) ?? treeNode({ id, orderKey: 'none' })
      await reading(tenant, async (base) => {
        expect(await base.endOf(nodeOf('a'), signal())).toBe(nodeOf('b').orderKey)
        expect(await base.endOf(nodeOf('y'), signal())).toBe(nodeOf('b').orderKey)
        expect(await base.endOf(nodeOf('x'), signal())).toBe(nodeOf('y').orderKey)
        expect(await base.endOf(nodeOf('r'), signal())).toBeUndefined()
        expect(await base.endOf(nodeOf('z'), signal())).toBeUndefined()
        expect(ids(await base.before(nodeOf('b').orderKey, 2, signal()))).toBe('y x')
        expect(ids(await base.before(undefined, 1, signal()))).toBe('z')
        expect(ids(await base.before(nodeOf('r').orderKey, 1, signal()))).toBe('')
        expect((await base.childAfter('r', 0, 'a', signal()))?.id).toBe('b')
        expect((await base.childAfter('r', 0, 'A', signal()))?.id).toBe('a')
        expect((await base.childAfter('r', -5, 'q', signal()))?.id).toBe('a')
        expect(await base.childAfter('r', 2, 'c', signal())).toBeUndefined()
        expect(await base.lastPosition('r', signal())).toBe(2)
        expect(await base.lastPosition('b', signal())).toBeUndefined()
        expect(ids(await base.nodesByExternalId(['ext-c', 'ext-none'], signal()))).toBe('c')
        const outline = (await collected(base.outline(signal()))).flat()
        expect(outline).toEqual(
          nodes.map(({ id, externalId, parentId, slug, position, depth, childrenCount, orderKey, contentHash }) => ({
            ...{ id, externalId, parentId, slug, position, depth, childrenCount, orderKey, contentHash },
          })),
        )
      })
    })

    it('serves a reader its version during writes, moves and deletions', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      const first = await latest(tenant, subject.other)
      const [r, a, x, y, b, c, z] = nodes
      if (!r || !a || !x || !y || !b || !c || !z) throw new Error('the family is incomplete')
      // b is deleted, a new node takes its key; z moves below a
      const between = `${y.orderKey}5`
      await put(
        tenant,
        [
          { ...a, childrenCount: 3 },
          { ...z, parentId: 'a', position: 2, orderKey: between },
          { ...c, childrenCount: 0, title: 'Other' },
          treeNode({ id: 'n', parentId: 'r', position: 1, depth: 1, orderKey: b.orderKey }),
        ],
        [z.orderKey],
      )
      const second = await latest(tenant)
      expect(second.version.number).toBe(2)
      expect(ids(await everything(second))).toBe('r a x y z n c')
      expect(ids(await second.children('a', undefined, 10, signal()))).toBe('x y z')
      expect(ids(await second.children('c', undefined, 10, signal()))).toBe('')
      expect(await second.nodes(['b'], signal())).toEqual([])
      expect((await second.nodes(['z'], signal()))[0]).toMatchObject({ orderKey: between, parentId: 'a' })
      await reading(tenant, async (base) => {
        expect(await base.nodesByExternalId(['ext-b'], signal())).toEqual([])
        expect(ids(await base.before(undefined, 2, signal()))).toBe('c n')
        expect(await base.endOf(c, signal())).toBeUndefined()
      })
      for (const view of [first, await subject.store.view(tenant, 1, signal())]) {
        if (view === undefined) throw new Error('the first version is missing')
        expect(await everything(view, 2)).toEqual(nodes)
        expect((await view.nodes(['b', 'z'], signal())).length).toBe(2)
        expect(ids(await view.children('c', undefined, 10, signal()))).toBe('z')
      }
      expect(ids(await everything(await latest(tenant, subject.other)))).toBe('r a x y z n c')
    })

    it('exposes no part of a failed write, also not to the next writer', async () => {
      const tenant = newTenant()
      const nodes = family()
      const failing = (more: readonly TreeNode[]) =>
        subject.store.write(
          tenant,
          async (draft) => {
            await draft.put(more, signal())
            throw new Error('no')
          },
          signal(),
        )
      await expect(failing(nodes)).rejects.toThrow('no')
      expect(await subject.store.latest(tenant, signal())).toBeUndefined()
      await put(tenant, nodes)
      await expect(failing([treeNode({ id: 'ghost', parentId: 'r', depth: 1, orderKey: 'zz' })])).rejects.toThrow('no')
      await put(tenant, [{ ...(nodes[0] ?? treeNode({ id: 'r', orderKey: 'V' })), title: 'New' }])
      const view = await latest(tenant, subject.other)
      expect(ids(await everything(view))).toBe('r a x y b c z')
      expect(await view.nodes(['ghost'], signal())).toEqual([])
    })

    it('creates no version for a write without changes', async () => {
      const tenant = newTenant()
      await put(tenant, family())
      const before = (await latest(tenant)).version
      await put(tenant, [])
      expect((await latest(tenant)).version).toEqual(before)
    })

    it('serialises the writers of one tenant, so that each builds on the other', async () => {
      const tenant = newTenant()
      await put(tenant, [treeNode({ id: 'r', orderKey: 'V' })])
      const add = (store: TreeStore) =>
        store.write(
          tenant,
          async (draft) => {
            const [root] = (await draft.base?.slice(undefined, 1, signal())) ?? []
            if (root === undefined) throw new Error('there is no root')
            await draft.put([{ ...root, childrenCount: root.childrenCount + 1 }], signal())
          },
          signal(),
        )
      await Promise.all([0, 1, 2, 3, 4, 5].map((n) => add(n % 2 === 0 ? subject.store : subject.other)))
      const view = await latest(tenant)
      expect((await view.slice(undefined, 1, signal()))[0]?.childrenCount).toBe(6)
      expect(view.version.number).toBe(7)
    })

    it('separates tenants', async () => {
      const [one, two] = [newTenant(), newTenant()]
      await put(one, family())
      await put(two, [treeNode({ id: 'r', orderKey: 'V', title: 'Two' })])
      const view = await latest(two)
      expect(ids(await everything(view))).toBe('r')
      expect(await view.nodes(['a'], signal())).toEqual([])
      expect(await view.children('a', undefined, 10, signal())).toEqual([])
      const versions = await subject.store.versions(signal())
      expect(versions.filter(({ tenant }) => tenant === one || tenant === two).map(({ number }) => number)).toEqual([1, 1])
    })

    it('reads tens of thousands of nodes in order, for any page size', { timeout: 120_000 }, async () => {
      const tenant = newTenant()
      const keys = keysBetween(undefined, undefined, 25_000)
      const nodes = keys.map((orderKey, index) =>
        treeNode({
          id: `n${index}`,
          orderKey,
          depth: index === 0 ? 0 : 1,
          parentId: index === 0 ? null : 'n0',
          position: index,
          body: 'x',
        }),
      )
      await put(tenant, nodes)
      const view = await latest(tenant, subject.other)
      for (const step of [997, 5000]) expect((await everything(view, step)).map(({ id }) => id)).toEqual(nodes.map(({ id }) => id))
      expect(await reading(tenant, (base) => base.endOf(nodes[0] ?? treeNode({ id: '', orderKey: '' }), signal()))).toBeUndefined()
      expect(await reading(tenant, (base) => base.endOf(nodes[12_345] ?? treeNode({ id: '', orderKey: '' }), signal()))).toBe(keys[12_346])
      expect(ids(await view.children('n0', keys[20_000], 2, signal()))).toBe('n20001 n20002')
    })

    it('accepts a change with 20 MB of text', { timeout: 120_000 }, async () => {
      const tenant = newTenant()
      const body = 'Text '.repeat(100_000)
      const nodes = keysBetween(undefined, undefined, 40).map((orderKey, index) =>
        treeNode({ id: `n${index}`, orderKey, body, depth: Math.min(index, 1), parentId: index === 0 ? null : 'n0', position: index }),
      )
      await put(tenant, nodes)
      const read = await everything(await latest(tenant), 7)
      expect(read.map(({ id, body: text }) => `${id} ${text?.length}`)).toEqual(nodes.map(({ id }) => `${id} ${body.length}`))
    })

    it('reads and traverses a chain of 3,000 nodes', { timeout: 120_000 }, async () => {
      const tenant = newTenant()
      const keys = keysBetween(undefined, undefined, 3000)
      await put(
        tenant,
        keys.map((orderKey, depth) => treeNode({ id: `n${depth}`, orderKey, depth, parentId: depth === 0 ? null : `n${depth - 1}` })),
      )
      const view = await latest(tenant)
      expect((await everything(view)).length).toBe(3000)
      expect((await view.ancestors({ parentId: 'n2998' }, 100, signal())).slice(-1)).toEqual(['n2899'])
      await reading(tenant, async (base) => {
        expect(await base.endOf({ orderKey: keys[2999] ?? '', depth: 2999 }, signal())).toBeUndefined()
        expect(await base.endOf({ orderKey: keys[0] ?? '', depth: 0 }, signal())).toBeUndefined()
      })
    })

    it('purges rows that only old versions reference, and keeps visible ones', async () => {
      const tenant = newTenant()
      const nodes = family()
      await put(tenant, nodes)
      const [r, , , y] = nodes
      if (r === undefined || y === undefined) throw new Error('the family is incomplete')
      await put(tenant, [{ ...r, title: 'Second' }], [y.orderKey])
      await put(tenant, [{ ...r, title: 'Third' }])
      await subject.store.purge(new Date(Date.now() - 3_600_000), signal())
      expect(ids(await everything((await subject.store.view(tenant, 1, signal())) ?? (await latest(tenant))))).toBe('r a x y b c z')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await subject.store.purge(new Date(), signal())
      expect(await subject.store.view(tenant, 1, signal())).toBeUndefined()
      expect(await subject.store.view(tenant, 2, signal())).toBeUndefined()
      const view = await latest(tenant, subject.other)
      expect(ids(await everything(view))).toBe('r a x b c z')
      expect((await view.slice(undefined, 1, signal()))[0]?.title).toBe('Third')
      expect(await view.nodes(['y'], signal())).toEqual([])
      await put(tenant, [{ ...r, title: 'Fourth' }])
      expect(ids(await everything(await latest(tenant)))).toBe('r a x b c z')
    })

    it('stores the chunks of an import in order until they are removed', async () => {
      const { stage } = subject.store
      const importId = randomUUID()
      expect(await stage.find(importId, signal())).toBeUndefined()
      await stage.begin(importId, '{"tenant":"t"}', signal())
      for (const index of [2, 0, 1, 1, 11])
        await stage.append(importId, index, { outline: `outline ${index}`, content: `content ${index} é` }, signal())
      expect(await subject.other.stage.find(importId, signal())).toBe('{"tenant":"t"}')
      const chunks = await collected(subject.other.stage.outlines(importId, signal()))
      expect(chunks.map(({ index, outline }) => `${index} ${outline}`)).toEqual([
        '0 outline 0',
        '1 outline 1',
        '2 outline 2',
        '11 outline 11',
      ])
      expect(await subject.other.stage.content(importId, 11, signal())).toBe('content 11 é')
      expect(await stage.content(importId, 5, signal())).toBeUndefined()
      await stage.empty(importId, signal())
      expect(await collected(stage.outlines(importId, signal()))).toEqual([])
      expect(await stage.content(importId, 11, signal())).toBeUndefined()
      expect(await stage.find(importId, signal())).toBe('{"tenant":"t"}')
      await stage.note(importId, '{"tenant":"t","summary":{}}', signal())
      expect(await subject.other.stage.find(importId, signal())).toBe('{"tenant":"t","summary":{}}')
    })

    it('stores deleted nodes until they are purged or expire, newest first, for each tenant separately', async () => {
      const { trash } = subject.store
      const [tenant, other] = [newTenant(), newTenant()]
      await put(tenant, family())
      const chunks = ['["é \\ud800 \\u0000"]', '["second"]', '["third"]']
      const discard = (of: string, subtrees: readonly { id: string; about: string; chunks: readonly string[] }[]) =>
        subject.store.write(of, (draft) => draft.discard(chunksIn(subtrees), signal()), signal())
      await discard(
        tenant,
        ['10', '30', '20'].map((id) => ({ id, about: `{"of":"${id}"}`, chunks })),
      )
      await discard(other, [{ id: '20', about: '{}', chunks: ['[]'] }])
      const listed = async (after: string | undefined, limit: number) =>
        (await trash.list(tenant, after, limit, signal())).map(({ id }) => id)
      expect(await listed(undefined, 2)).toEqual(['30', '20'])
      expect(await listed('20', 2)).toEqual(['10'])
      expect(await subject.other.trash.list(tenant, '30', 1, signal())).toEqual([{ id: '20', about: '{"of":"20"}' }])
      expect(await subject.other.trash.find(tenant, '30', signal())).toBe('{"of":"30"}')
      expect(await collected(subject.other.trash.chunks(tenant, '30', signal()))).toEqual(chunks)
      const forget = (id: string) => subject.store.write(tenant, (draft) => draft.forget(id, signal()), signal())
      await forget('30')
      await forget('30')
      expect(await trash.find(tenant, '30', signal())).toBeUndefined()
      expect(await collected(trash.chunks(tenant, '30', signal()))).toEqual([])
      await trash.expire('15', signal())
      expect(await listed(undefined, 10)).toEqual(['20'])
      expect(await collected(trash.chunks(tenant, '10', signal()))).toEqual([])
      expect(await trash.list(other, undefined, 10, signal())).toEqual([{ id: '20', about: '{}' }])
    })

    it('changes nothing in the trash when the draft fails', async () => {
      const { trash } = subject.store
      const tenant = newTenant()
      await put(tenant, family())
      const one = { about: '{}', chunks: ['[1]', '[2]'] }
      await subject.store.write(tenant, (draft) => draft.discard(chunksIn([{ ...one, id: '1' }]), signal()), signal())
      const failing = subject.store.write(
        tenant,
        async (draft) => {
          await draft.discard(chunksIn([{ ...one, id: '2' }]), signal())
          await draft.forget('1', signal())
          throw new Error('the draft fails')
        },
        signal(),
      )
      await expect(failing).rejects.toThrow('the draft fails')
      expect((await trash.list(tenant, undefined, 10, signal())).map(({ id }) => id)).toEqual(['1'])
      expect(await collected(trash.chunks(tenant, '1', signal()))).toEqual(['[1]', '[2]'])
    })

    it('stores thousands of subtrees of one draft', async () => {
      const { trash } = subject.store
      const tenant = newTenant()
      await put(tenant, family())
      const subtrees = Array.from({ length: 2500 }, (_, at) => ({ id: String(at).padStart(5, '0'), about: '{}', chunks: [`[${at}]`] }))
      await subject.store.write(tenant, (draft) => draft.discard(chunksIn(subtrees), signal()), signal())
      expect((await trash.list(tenant, undefined, 3000, signal())).length).toBe(2500)
      expect(await collected(trash.chunks(tenant, '02499', signal()))).toEqual(['[2499]'])
    })

    it('reports its health', async () => {
      await subject.store.health(AbortSignal.timeout(60_000))
    })
  })
}
