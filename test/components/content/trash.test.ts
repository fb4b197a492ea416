import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { trashIdAt } from '../../../subgraphs/content/trash/tree-trash.ts'
import { contentOf } from '../../../subgraphs/content/tree/node-rules.ts'
import { brokenRules, editing, openTrees, type Row, shape, type Trees, treesOn } from './support.ts'

const signal = AbortSignal.timeout(120_000)
/** r > a > (x, y > deep), b */
const rows: readonly Row[] = [
  { id: 'r', title: 'Root' },
  { id: 'a', title: 'A', parentId: 'r', position: 0, locale: 'fr' },
  { id: 'x', title: 'X', parentId: 'a', position: 0, externalId: 'ext-x', metadata: { odd: 'NUL \u0000 and \ud800' } },
  { id: 'y', title: 'Y', parentId: 'a', position: 1, body: '# Y' },
  { id: 'deep', title: 'Deep', parentId: 'y' },
  { id: 'b', title: 'B', parentId: 'r', position: 1 },
]

describe('the trash of content', () => {
  let trees: Trees
  beforeAll(async () => {
    trees = await openTrees()
  })
  afterAll(() => trees[Symbol.asyncDispose]())
  const planted = async (): Promise<string> => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, rows)
    return tenant
  }
  const idsOf = async (tenant: string): Promise<string> => (await trees.all(tenant)).map(({ id }) => id).join(' ')
  const listed = (tenant: string) => trees.trash.list(tenant, undefined, 10, signal)

  it('lists deleted nodes with subject and time, and restores them unchanged', async () => {
    const tenant = await planted()
    const before = await trees.all(tenant)
    const from = Date.now()
    const { id } = await trees.trash.remove(tenant, 'a', editing('editor'))
    expect(await idsOf(tenant)).toBe('r b')
    const [first, ...others] = await listed(tenant)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      id,
      contentId: 'a',
      parentId: 'r',
      title: 'A',
      locale: 'fr',
      nodesCount: 4,
      subject: 'editor',
      service: null,
    })
    expect(Math.abs((first?.removedAt.getTime() ?? 0) - from)).toBeLessThan(60_000)
    const { node, restored } = await trees.trash.restore(tenant, id, undefined, editing())
    expect([node.id, node.parentId, restored]).toEqual(['a', 'r', 4])
    const after = await trees.all(tenant)
    expect(shape(after)).toEqual(shape(before))
    const unchangedFields = (nodes: typeof after) =>
      nodes.map(({ metadata, externalId, createdAt }) => ({ metadata, externalId, createdAt }))
    expect(unchangedFields(after)).toEqual(unchangedFields(before))
    expect(await listed(tenant)).toEqual([])
    await expect(trees.trash.restore(tenant, id, undefined, editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('restores as the last child of another node, with all levels adjusted', async () => {
    const tenant = await planted()
    const { id } = await trees.trash.remove(tenant, 'y', editing())
    await trees.trash.restore(tenant, id, 'b', editing())
    const nodes = await trees.all(tenant)
    expect(nodes.map(({ id, depth }) => `${id}${depth}`).join(' ')).toBe('r0 a1 x2 b1 y2 deep3')
    expect(brokenRules(nodes)).toEqual([])
  })

  it('names the deleted parent that has to be restored first, and restores after that', async () => {
    const tenant = await planted()
    const inner = await trees.trash.remove(tenant, 'y', editing())
    const outer = await trees.trash.remove(tenant, 'a', editing())
    await expect(trees.trash.restore(tenant, inner.id, undefined, editing())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The former parent was deleted; restore it first, or set `parentId` to another node',
    })
    await expect(trees.trash.restore(tenant, inner.id, 'nowhere', editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await trees.trash.restore(tenant, outer.id, undefined, editing())
    await trees.trash.restore(tenant, inner.id, undefined, editing())
    expect(await idsOf(tenant)).toBe('r a x y deep b')
  })

  it('refuses to restore a node whose id or external id is in use again, and retains it', async () => {
    const tenant = await planted()
    const { id } = await trees.trash.remove(tenant, 'a', editing())
    const content = contentOf({ title: 'Another', externalId: 'ext-x' })
    await trees.edit.create(tenant, { id: 'other', parentId: 'r', position: undefined, content }, editing())
    await expect(trees.trash.restore(tenant, id, undefined, editing())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'A node with the externalId ext-x exists in the tree: delete it or change its externalId before you restore this one',
    })
    await trees.trash.remove(tenant, 'other', editing())
    const deep = { id: 'deep', parentId: 'r', position: undefined, content: contentOf({ title: 'Deep' }) }
    await trees.edit.create(tenant, deep, editing())
    await expect(trees.trash.restore(tenant, id, undefined, editing())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'A node with the id deep exists in the tree: delete it before you restore this one',
    })
    expect((await listed(tenant)).map(({ contentId }) => contentId)).toEqual(['other', 'a'])
  })

  it('stores a whole tree, and restores it for a tenant without one', async () => {
    const tenant = await planted()
    const { id, nodesCount } = await trees.trash.remove(tenant, 'r', editing())
    expect([await idsOf(tenant), nodesCount]).toEqual(['', 6])
    const root = { id: 'new', parentId: undefined, position: undefined, content: contentOf({ title: 'New' }) }
    await trees.edit.create(tenant, root, editing())
    await expect(trees.trash.restore(tenant, id, undefined, editing())).rejects.toMatchObject({ code: 'CONFLICT' })
    await trees.trash.remove(tenant, 'new', editing())
    await trees.trash.restore(tenant, id, undefined, editing())
    expect(await idsOf(tenant)).toBe('r a x y deep b')
    expect(brokenRules(await trees.all(tenant))).toEqual([])
  })

  it('stores nothing for missing nodes', async () => {
    const tenant = await planted()
    await expect(trees.trash.remove(tenant, 'missing', editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await listed(tenant)).toEqual([])
    for (const id of ['missing', 'r', '018f0000-0000-7000-8000-000000000000'])
      await expect(trees.trash.restore(tenant, id, undefined, editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('purges permanently, and removes expired entries automatically', async () => {
    const tenant = await planted()
    const purged = await trees.trash.remove(tenant, 'x', editing())
    await trees.trash.purge(tenant, purged.id, editing())
    await expect(trees.trash.purge(tenant, purged.id, editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(trees.trash.restore(tenant, purged.id, undefined, editing())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await trees.trash.remove(tenant, 'b', editing())
    await trees.store.trash.expire(trashIdAt(Date.now() - 60_000), signal)
    expect((await listed(tenant)).map(({ contentId }) => contentId)).toEqual(['b'])
    await trees.store.trash.expire(trashIdAt(Date.now() + 60_000), signal)
    expect(await listed(tenant)).toEqual([])
  })

  it('records deletions, restorations and purges in the audit trail, by id only', async () => {
    const tenant = await planted()
    const from = trees.accounted.length
    const { id } = await trees.trash.remove(tenant, 'y', editing())
    await trees.trash.restore(tenant, id, undefined, editing())
    const again = await trees.trash.remove(tenant, 'y', editing())
    await trees.trash.purge(tenant, again.id, editing())
    const details = { tenant, nodes: 2 }
    expect(trees.accounted.slice(from)).toEqual(
      ['content.remove', 'content.restore', 'content.remove', 'content.purge'].map((action) => ({
        ...{ action, outcome: 'done', target: 'y', details },
      })),
    )
  })

  it('restores an entry once when two editors restore it at once', async () => {
    const tenant = await planted()
    const { id } = await trees.trash.remove(tenant, 'a', editing())
    const answers = await Promise.allSettled([1, 2].map(() => trees.trash.restore(tenant, id, undefined, editing())))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await idsOf(tenant)).toBe('r a x y deep b')
  })

  it('stores what a replacing import removes, one entry per subtree, and restores each', async () => {
    const tenant = await planted()
    const before = await trees.all(tenant)
    // x is moved below the root and stays
    const [root, , x] = rows
    if (root === undefined || x === undefined) throw new Error('no rows')
    expect(await trees.bring(tenant, [root, { ...x, parentId: 'r' }], 'replace')).toMatchObject({ received: 2, deleted: 4 })
    expect(await idsOf(tenant)).toBe('r x')
    const entries = await listed(tenant)
    expect(entries.map(({ contentId, nodesCount, subject, title }) => ({ contentId, nodesCount, subject, title }))).toEqual(
      expect.arrayContaining([
        { contentId: 'a', nodesCount: 3, subject: 'editor', title: 'A' },
        { contentId: 'b', nodesCount: 1, subject: 'editor', title: 'B' },
      ]),
    )
    expect(entries).toHaveLength(2)
    for (const { id } of entries) await trees.trash.restore(tenant, id, undefined, editing())
    const after = await trees.all(tenant)
    expect(brokenRules(after)).toEqual([])
    const texts = (nodes: typeof after) =>
      new Map(nodes.map(({ id, title, body, metadata, externalId }) => [id, { title, body, metadata, externalId }]))
    expect(texts(after)).toEqual(texts(before))
    expect(await listed(tenant)).toEqual([])
  })

  it('stores a whole tree that a confirmed import replaced with nothing', async () => {
    const tenant = await planted()
    const before = await trees.all(tenant)
    const request = editing()
    const dry = await trees.imports.start(tenant, 'replace', true, request)
    expect(await trees.imports.finish(dry, false, request)).toMatchObject({ received: 0, deleted: 6 })
    const id = await trees.imports.start(tenant, 'replace', false, request)
    await expect(trees.imports.finish(id, false, request)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { entries: [{ code: 'required', path: ['confirm'] }] },
    })
    expect(await trees.all(tenant)).toEqual(before)
    expect(await trees.imports.finish(id, true, request)).toMatchObject({ received: 0, deleted: 6 })
    expect(await idsOf(tenant)).toBe('')
    const [first, ...others] = await listed(tenant)
    expect([first?.contentId, first?.nodesCount, others]).toEqual(['r', 6, []])
    await trees.trash.restore(tenant, first?.id ?? '', undefined, editing())
    expect(shape(await trees.all(tenant))).toEqual(shape(before))
  })

  it('stores nothing for a dry run and a refused import', async () => {
    const tenant = await planted()
    await trees.bring(tenant, [], 'replace', true)
    await expect(
      trees.bring(
        tenant,
        [
          { id: 'r', title: 'R' },
          { title: 'a', parentId: 'missing' },
        ],
        'replace',
      ),
    ).rejects.toThrow()
    expect([await idsOf(tenant), await listed(tenant)]).toEqual(['r a x y deep b', []])
  })

  it('stores a replaced tree of 20,000 nodes within one version of the tree', async () => {
    const tenant = trees.newTenant()
    const many: Row[] = [
      { id: 'r', title: 'Root' },
      ...Array.from({ length: 20_000 }, (_, at): Row => ({ id: `n${at}`, title: `T ${at}`, parentId: at < 10 ? 'r' : `n${at % 10}` })),
    ]
    await trees.bring(tenant, many)
    const version = (await trees.store.latest(tenant, signal))?.version.number ?? 0
    expect(await trees.bring(tenant, [{ id: 'r', title: 'Root' }], 'replace')).toMatchObject({ deleted: 20_000 })
    expect((await trees.store.latest(tenant, signal))?.version.number).toBe(version + 1)
    const entries = await listed(tenant)
    expect(entries.map(({ nodesCount }) => nodesCount)).toEqual(Array.from({ length: 10 }, () => 2000))
    for (const { id } of entries) await trees.trash.restore(tenant, id, undefined, editing())
    const after = await trees.all(tenant)
    expect([after.length, brokenRules(after)]).toEqual([20_001, []])
  })

  it('records every change of a tree with ids and counts, and no text', async () => {
    const tenant = await planted()
    const from = trees.accounted.length
    const input = { id: 'new', parentId: 'r', position: undefined, content: contentOf({ title: 'Secret title' }) }
    await trees.edit.create(tenant, input, editing())
    await trees.edit.create(tenant, input, editing())
    const change = () => contentOf({ title: 'Another secret' })
    await trees.edit.update(tenant, { id: 'new', change, ifUpdatedAt: undefined }, editing())
    await trees.edit.update(tenant, { id: 'new', change, ifUpdatedAt: undefined }, editing())
    await trees.edit.move(tenant, 'new', 'b', undefined, editing())
    await trees.bring(tenant, [{ id: 'r', title: 'Root' }], 'replace')
    await expect(trees.bring(tenant, [{ title: 'secret', parentId: 'missing' }])).rejects.toThrow()
    const records = trees.accounted.slice(from)
    const ofImport = { target: expect.any(String) }
    expect(records).toEqual([
      { action: 'content.create', outcome: 'done', target: 'new', details: { tenant, nodes: 1, parentId: 'r' } },
      { action: 'content.update', outcome: 'done', target: 'new', details: { tenant, nodes: 1 } },
      { action: 'content.move', outcome: 'done', target: 'new', details: { tenant, nodes: 1, from: 'r', to: 'b' } },
      { action: 'content.import.start', outcome: 'done', ...ofImport, details: { tenant, mode: 'replace', dryRun: false } },
      {
        ...{ action: 'content.import.finish', outcome: 'done', ...ofImport },
        details: {
          ...{
            tenant,
            mode: 'replace',
            dryRun: false,
            received: 1,
            created: 0,
            updated: 0,
            unchanged: 1,
            deleted: 6,
            duplicatesRemoved: 0,
          },
          deletedIds: ['a', 'x', 'y', 'deep', 'b', 'new'],
        },
      },
      { action: 'content.import.start', outcome: 'done', ...ofImport, details: { tenant, mode: 'upsert', dryRun: false } },
      { action: 'content.import.finish', outcome: 'refused', ...ofImport, details: { tenant, mode: 'upsert', dryRun: false } },
    ])
    expect(JSON.stringify(records)).not.toMatch(/secret/i)
  })

  it('makes no change that cannot be recorded', async () => {
    const tenant = await planted()
    const unrecorded = treesOn(trees.store, undefined, {
      record: async () => {
        throw new EngineUnavailable('database')
      },
    })
    const input = { id: 'new', parentId: 'r', position: undefined, content: contentOf({ title: 'New' }) }
    const before = await trees.all(tenant)
    const change = () => contentOf({ title: 'Other' })
    const { id } = await trees.trash.remove(tenant, 'b', editing())
    for (const attempt of [
      () => unrecorded.edit.create(tenant, input, editing()),
      () => unrecorded.edit.update(tenant, { id: 'a', change, ifUpdatedAt: undefined }, editing()),
      () => unrecorded.edit.move(tenant, 'x', 'r', undefined, editing()),
      () => unrecorded.trash.remove(tenant, 'a', editing()),
      () => unrecorded.trash.restore(tenant, id, undefined, editing()),
      () => unrecorded.trash.purge(tenant, id, editing()),
      () => unrecorded.bring(tenant, [], 'replace'),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    expect((await listed(tenant)).map((entry) => entry.id)).toEqual([id])
    await trees.trash.restore(tenant, id, undefined, editing())
    expect(shape(await trees.all(tenant))).toEqual(shape(before))
  })
})
