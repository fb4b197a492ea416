import { expect, it } from 'vitest'
import { inSteps } from '../../../foundation/concurrency/steps.ts'
import { type ImportedNode, mergeTree } from '../../../subgraphs/content/import/merge-tree.ts'
import { countTurns } from '../../support/processes/event-loop-turns.ts'

const nodes = (count: number): ImportedNode[] =>
  Array.from({ length: count }, (_, index) => ({
    id: undefined,
    externalId: null,
    key: String(index),
    parentKey: index === 0 ? undefined : String((index - 1) >> 3),
    parentId: undefined,
    parentExternalId: undefined,
    slug: 'node',
    position: undefined,
    contentHash: 'hash',
    chunk: 0,
    index,
  }))

it('merges a large import in steps that do not hold the event loop', async () => {
  const { turns, result } = await countTurns(() => inSteps(mergeTree('tenant', 'upsert', [], nodes(50_000))))
  expect(result.nodes).toHaveLength(50_000)
  expect(turns).toBeGreaterThan(10)
})

it('stops a merge whose request has ended', async () => {
  const end = new AbortController()
  const merge = inSteps(mergeTree('tenant', 'upsert', [], nodes(50_000)), end.signal)
  end.abort(new Error('the client has left'))
  await expect(merge).rejects.toThrow('the client has left')
})
