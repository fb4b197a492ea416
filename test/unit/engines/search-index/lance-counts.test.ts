import type { Table } from '@lancedb/lancedb'
import { expect, it } from 'vitest'
import { lanceCounts } from '../../../../engines/search-index/lancedb/lance-counts.ts'

const rows = 200_000
const columns: Readonly<Record<string, (row: number) => unknown>> = {
  id: (row) => String(row).padStart(6, '0'),
  created_at: (row) => (row * 7919) % rows,
  domain: (row) => (row % 2 === 0 ? 'health' : null),
}
const batch = { numRows: rows, getChild: (name: string) => ({ get: columns[name] ?? (() => null) }) }
async function* batches() {
  yield batch
}
const query = { select: () => query, where: () => query, [Symbol.asyncIterator]: batches }
// the table is only queried
const counts = lanceCounts((question) => question({ query: () => query } as unknown as Table))

/** Returns the result and how often other work ran meanwhile. */
async function withOthers<Result>(work: Promise<Result>): Promise<readonly [Result, number]> {
  let [turns, isOver] = [0, false]
  const run = (): void => {
    turns++
    if (!isOver) setImmediate(run)
  }
  setImmediate(run)
  const result = await work
  isOver = true
  return [result, turns]
}

it('counting many expressions lets other work run meanwhile', async () => {
  const [groups, turns] = await withOthers(counts.tally({}, { by: ['domain'] }))
  expect(groups.map(({ domain, count }) => [domain, count])).toEqual([
    ['health', rows / 2],
    [null, rows / 2],
  ])
  expect(turns).toBeGreaterThan(3)
})

it('listing the newest of many expressions lets other work run, and returns pages in order', async () => {
  const [first, turns] = await withOthers(counts.newest({}, { limit: 3 }))
  expect(first.map(({ createdAt }) => createdAt.getTime())).toEqual([rows - 1, rows - 2, rows - 3])
  expect(turns).toBeGreaterThan(3)
  const next = await counts.newest({}, { limit: 2, beyond: first.at(-1) })
  expect(next.map(({ createdAt }) => createdAt.getTime())).toEqual([rows - 4, rows - 5])
  const oldest = await counts.newest({}, { limit: 2, isBackward: true })
  expect(oldest.map(({ createdAt }) => createdAt.getTime())).toEqual([0, 1])
})
