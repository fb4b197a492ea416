import { Registry } from 'prom-client'
import { expect, it, onTestFinished } from 'vitest'
import { Stalled } from '../../../foundation/health/stalled.ts'
import { silentLog } from '../../../foundation/log.ts'
import { searchCoverage } from '../../../subgraphs/classification/search/search-coverage.ts'

async function measured(indexed: number, stored: number) {
  const registry = new Registry()
  const coverage = searchCoverage({
    index: { count: async () => indexed },
    store: { countExpressions: async () => stored },
    registry,
    log: silentLog,
  })
  await coverage.start(AbortSignal.timeout(1000))
  onTestFinished(() => coverage.stop())
  const metric = async () => (await registry.getSingleMetric('civigraph_search_index_missing_expressions')?.get())?.values[0]?.value
  await expect.poll(metric).toBe(Math.max(0, stored - indexed))
  return coverage
}

it('health is degraded while the index that searches read lacks expressions', async () => {
  const coverage = await measured(0, 381)
  expect(() => coverage.refuseIncomplete()).toThrow(Stalled)
  expect(() => coverage.refuseIncomplete()).toThrow(/^Searches miss 381 of 381 expressions: worker:classification adds them/)
})

it.each([
  ['a complete index', 400, 400],
  ['writes in progress', 400, 450],
  ['one of two hundred of a large store', 995_000, 1_000_000],
  ['an index with withdrawn expressions', 500, 400],
])('health is unaffected by %s', async (_, indexed, stored) => {
  const coverage = await measured(indexed, stored)
  expect(() => coverage.refuseIncomplete()).not.toThrow()
})
