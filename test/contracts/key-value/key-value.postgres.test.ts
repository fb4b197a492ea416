import { expect, it } from 'vitest'
import { postgresKeyValue } from '../../../engines/key-value/postgres-key-value.ts'
import { silentLog } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { keyValueContract } from './key-value.contract.ts'

for (const engine of relationalEngines())
  keyValueContract(engine.name, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const [here, there] = [postgresKeyValue({ database, log: silentLog }), postgresKeyValue({ database, log: silentLog })]
    return [here, there, async () => dispose()]
  })

for (const engine of relationalEngines())
  it(`${engine.name} removes values above the limit of a partition by earliest expiry, and no security state`, async () => {
    await using opened = await openMigrated(engine)
    const limits = { security: 5, counters: 5, cache: 5, entities: 5 }
    const store = postgresKeyValue({ database: opened.database, log: silentLog, limits, sweepEveryMs: 50 })
    for (let at = 0; at < 10; at++) for (const each of [store, store.partition('cache')]) await each.set(`${at}`, 'x', 600_000 + at * 1000)
    await store.start(AbortSignal.timeout(10_000))
    const values = (each: Pick<typeof store, 'get'>) => Promise.all(Array.from({ length: 10 }, (_, at) => each.get(`${at}`)))
    try {
      await expect.poll(() => values(store.partition('cache'))).toEqual([...Array(5).fill(undefined), ...Array(5).fill('x')])
      expect(await values(store)).toEqual(Array(10).fill('x'))
    } finally {
      await store.stop()
    }
  })
