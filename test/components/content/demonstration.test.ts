import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { magazine } from '../../../demonstration/magazine/magazine.ts'
import { demonstrationIn, removeDemonstrationTree } from '../../../platform/demonstration/placeholder-tree.ts'
import { contentOf } from '../../../subgraphs/content/tree/node-rules.ts'
import { brokenRules, editing, openTrees, type Trees } from './support.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const rootOf = (title: string) => ({ id: undefined, parentId: undefined, position: undefined, content: contentOf({ title }) })

describe('a demonstration tree', () => {
  let trees: Trees
  beforeAll(async () => {
    trees = await openTrees(demonstrationIn)
  })
  afterAll(() => trees?.[Symbol.asyncDispose]())
  const demonstrated = async (): Promise<string> => {
    const tenant = trees.newTenant()
    expect(await trees.bring(tenant, magazine())).toMatchObject({ created: 25 })
    return tenant
  }
  const titles = async (tenant: string): Promise<readonly string[]> => (await trees.all(tenant)).map(({ title }) => title)

  it('has three levels, in French and Arabic', async () => {
    const nodes = await trees.all(await demonstrated())
    expect(
      Object.fromEntries(
        Map.groupBy(nodes, ({ depth }) => depth)
          .entries()
          .map(([depth, { length }]) => [depth, length]),
      ),
    ).toEqual({ 0: 1, 1: 6, 2: 18 })
    expect(new Set(nodes.map(({ locale }) => locale))).toEqual(new Set(['fr', 'ar']))
    expect(nodes.filter(({ body }) => body === null)).toEqual([])
  })

  it('is replaced by a created root', async () => {
    const tenant = await demonstrated()
    expect(await trees.edit.create(tenant, rootOf('Mine'), editing())).toMatchObject({
      created: true,
    })
    expect(await titles(tenant)).toEqual(['Mine'])
    expect(brokenRules(await trees.all(tenant))).toEqual([])
    await expect(trees.edit.create(tenant, rootOf('Second'), editing())).rejects.toThrow('The tree already has a root')
  })

  it('is replaced by an import with a root, without counting as deleted', async () => {
    const tenant = await demonstrated()
    expect(await trees.bring(tenant, [{ id: 'a', title: 'Mine' }], 'upsert', true)).toMatchObject({ created: 1, deleted: 0 })
    expect(await titles(tenant)).toHaveLength(25)
    expect(await trees.bring(tenant, [{ id: 'a', title: 'Mine' }])).toMatchObject({ received: 1, created: 1, updated: 0, deleted: 0 })
    expect(await titles(tenant)).toEqual(['Mine'])
  })

  it('stays when it is imported again, and when a node is added to it', async () => {
    const tenant = await demonstrated()
    expect(await trees.bring(tenant, magazine())).toMatchObject({ created: 0, unchanged: 25 })
    await trees.bring(tenant, [{ id: 'a', title: 'Mine', parentExternalId: 'demonstration/eau' }])
    expect(await titles(tenant)).toHaveLength(26)
    // from now on the tree belongs to the tenant
    await expect(trees.edit.create(tenant, rootOf('Second'), editing())).rejects.toThrow('The tree already has a root')
    expect(await removeDemonstrationTree(trees.store, tenant, signal())).toBe(0)
  })

  it('belongs to the tenant once one of its texts was changed', async () => {
    const tenant = await demonstrated()
    const [, part] = await trees.all(tenant)
    await trees.edit.update(
      tenant,
      { id: part?.id ?? '', change: (content) => ({ ...content, title: 'Changed' }), ifUpdatedAt: undefined },
      editing(),
    )
    await expect(trees.bring(tenant, [{ id: 'a', title: 'Second' }])).rejects.toThrow()
    expect(await removeDemonstrationTree(trees.store, tenant, signal())).toBe(0)
  })

  it('is removed by the demo-data command', async () => {
    const tenant = await demonstrated()
    expect(await removeDemonstrationTree(trees.store, tenant, signal())).toBe(25)
    expect(await titles(tenant)).toEqual([])
    expect(await removeDemonstrationTree(trees.store, tenant, signal())).toBe(0)
  })
})
