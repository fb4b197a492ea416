import { expect, it } from 'vitest'
import type { FeedEvent } from '../../../engines/event-feed/event-feed.ts'
import { createLog } from '../../../foundation/log.ts'
import { shippedTaxonomy } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'
import { asDomains } from '../../../subgraphs/classification/taxonomy/as-domains.ts'
import { taxonomyUpkeep } from '../../../subgraphs/classification/taxonomy/taxonomy-upkeep.ts'

it('combines changes that arrive during a run: a synchronisation of many domains costs one more run, not one for each', async () => {
  const first = Promise.withResolvers<void>()
  let runs = 0
  async function* follow(_topic: string, _after: number, signal: AbortSignal): AsyncGenerator<FeedEvent> {
    const event = { type: 'event', topic: 'analytics', kind: 'taxonomy_changed', id: 'health', at: new Date(0), format: 1 } as const
    for (let position = 1; position <= 70; position++) yield { ...event, position }
    first.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const upkeep = taxonomyUpkeep(
    {
      store: {
        readTaxonomy: async () => ({ version: '1', number: 1, domains: asDomains(shippedTaxonomy), successors: new Map() }),
        publishTaxonomy: async () => ({ number: 1, change: { added: 0, updated: 0, removed: 0, unchanged: 0 } }),
      },
      topics: { refresh: async () => undefined },
      sentiment: async () => undefined,
      feed: { position: async () => 0, follow },
      log: createLog('silent'),
    } as never,
    async () => {
      runs++
      // the run for the first change lasts until all events have arrived
      if (runs > 1) await first.promise
    },
  )
  await upkeep.start(new AbortController().signal)
  await first.promise
  await expect.poll(() => runs).toBe(3)
  await upkeep.stop()
  expect(runs).toBe(3)
})
