import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentOf } from '../../../subgraphs/content/tree/node-rules.ts'
import { randomFrom } from '../../support/samples/random.ts'
import { brokenRules, editing, randomTree, shape, shuffled, type Trees } from './support.ts'

/**
 * Invariants of every tree on every store.
 * @param amount - number of trees in another order and of round trips; steps of a random walk of edits
 */
export function treeProperties(
  name: string,
  open: () => Promise<Trees>,
  { orders, returns, steps }: { readonly orders: readonly number[]; readonly returns: readonly number[]; readonly steps: number },
): void {
  describe(`any tree on ${name}`, { timeout: 120_000 }, () => {
    let trees: Trees
    beforeAll(async () => {
      trees = await open()
    }, 120_000)
    afterAll(() => trees?.[Symbol.asyncDispose]())

    it('is the same for every order of its rows', async () => {
      for (const seed of orders) {
        const rows = randomTree(300, seed)
        const [one, two] = [trees.newTenant(), trees.newTenant()]
        expect(await trees.bring(one, rows)).toMatchObject({ received: 300, created: 300, updated: 0, unchanged: 0, deleted: 0 })
        await trees.bring(two, shuffled(rows, randomFrom(seed + 100)))
        const nodes = await trees.all(one)
        expect(brokenRules(nodes)).toEqual([])
        expect(shape(await trees.all(two))).toEqual(shape(nodes))
      }
    })

    it('is not written again when it is imported unchanged', async () => {
      const tenant = trees.newTenant()
      const rows = randomTree(200, 7)
      await trees.bring(tenant, rows)
      const before = await trees.store.latest(tenant, AbortSignal.timeout(60_000))
      expect(await trees.bring(tenant, shuffled(rows, randomFrom(8)), 'replace')).toMatchObject({
        received: 200,
        created: 0,
        updated: 0,
        unchanged: 200,
        deleted: 0,
      })
      expect((await trees.store.latest(tenant, AbortSignal.timeout(60_000)))?.version).toEqual(before?.version)
    })

    it('is restored when its export is imported over another tree', async () => {
      for (const seed of returns) {
        const tenant = trees.newTenant()
        await trees.bring(tenant, randomTree(200, seed))
        const exported = await trees.all(tenant)
        // another tree with the same ids: nodes move, change, appear and disappear
        const other = randomTree(260, seed + 50)
          .filter(({ id }) => id !== 'n199')
          .map((row) => (row.parentId === 'n199' ? { ...row, parentId: 'n0' } : row))
        await trees.bring(tenant, other, 'replace')
        expect(brokenRules(await trees.all(tenant))).toEqual([])
        expect((await trees.all(tenant)).length).toBe(259)
        const rows = shuffled(exported, randomFrom(seed)).map(
          ({ id, externalId, parentId, title, slug, summary, body, locale, position, createdAt, updatedAt }) => ({
            id,
            externalId,
            parentId,
            title,
            slug,
            summary,
            body,
            locale,
            position,
            createdAt,
            updatedAt,
          }),
        )
        await trees.bring(tenant, rows, 'replace')
        expect(shape(await trees.all(tenant))).toEqual(shape(exported))
      }
    })

    it('identifies a node by its external id, whatever its own id is', async () => {
      const tenant = trees.newTenant()
      await trees.bring(tenant, [
        { id: 'r', title: 'r' },
        { id: 'w1', externalId: 'w', title: 'Water', parentId: 'r' },
      ])
      const input = { id: undefined, parentId: 'r', position: undefined, content: contentOf({ externalId: 'w', title: 'Water' }) }
      expect(await trees.edit.create(tenant, input, editing())).toMatchObject({
        created: false,
        node: { id: 'w1' },
      })
      for (const other of [
        { ...input, id: 'w2' },
        { ...input, content: contentOf({ externalId: 'w', title: 'Wine' }) },
      ])
        await expect(trees.edit.create(tenant, other, editing())).rejects.toMatchObject({
          code: 'CONFLICT',
        })
    })

    it('satisfies every invariant after creations, moves, deletions and restorations', async () => {
      const tenant = trees.newTenant()
      const next = randomFrom(42)
      const content = (title: string) => ({
        externalId: null,
        title,
        slug: title,
        summary: null,
        body: null,
        locale: null,
        media: [],
        metadata: {},
      })
      await trees.edit.create(tenant, { id: 'r', parentId: undefined, position: undefined, content: content('r') }, editing())
      const model = new Map<string, string | null>([['r', null]])
      const any = (): string => [...model.keys()][Math.floor(next() * model.size)] ?? 'r'
      const below = (id: string): string[] => [id, ...[...model].filter(([, parent]) => parent === id).flatMap(([child]) => below(child))]
      for (let step = 0; step < steps; step++) {
        const dice = next()
        const position = next() < 0.5 ? undefined : Math.floor(next() * 6)
        if (dice < 0.6) {
          const parentId = any()
          await trees.edit.create(tenant, { id: `n${step}`, parentId, position, content: content(`n${step}`) }, editing())
          model.set(`n${step}`, parentId)
        } else if (dice < 0.9) {
          const [id, parentId] = [any(), any()]
          if (id === 'r' || below(id).includes(parentId)) {
            await expect(trees.edit.move(tenant, id, parentId, position, editing())).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
            continue
          }
          await trees.edit.move(tenant, id, parentId, position, editing())
          model.set(id, parentId)
        } else {
          const id = any()
          if (id === 'r') continue
          const before = await trees.all(tenant)
          const removed = await trees.trash.remove(tenant, id, editing())
          expect(removed.nodesCount).toBe(below(id).length)
          if (next() < 0.5) {
            const { restored } = await trees.trash.restore(tenant, removed.id, undefined, editing())
            expect(restored).toBe(removed.nodesCount)
            expect(shape(await trees.all(tenant))).toEqual(shape(before))
          } else for (const each of below(id)) model.delete(each)
        }
        if (step % 10 === 0) expect(brokenRules(await trees.all(tenant))).toEqual([])
      }
      const nodes = await trees.all(tenant)
      expect(brokenRules(nodes)).toEqual([])
      expect(new Map(nodes.map(({ id, parentId }) => [id, parentId]))).toEqual(model)
    })
  })
}
