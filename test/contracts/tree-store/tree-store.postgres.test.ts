import { expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { postgresTreeStore } from '../../../engines/tree-store/postgres/postgres-tree-store.ts'
import { silentLog } from '../../../foundation/log.ts'
import { embeddedEngine, openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { treeStoreContract } from './tree-store.contract.ts'

for (const engine of relationalEngines())
  treeStoreContract(engine.name, async () => {
    const { database, url, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const second = openDatabase({ name: 'second', url: () => url, poolSize: 5, log: silentLog })
    return {
      store: postgresTreeStore(database),
      other: postgresTreeStore(second),
      close: async () => {
        await second.stop()
        await dispose()
      },
    }
  })

it('writers that wait for their turn on PostgreSQL occupy no connection of readers, and time out', async () => {
  const { url, [Symbol.asyncDispose]: dispose } = await openMigrated(embeddedEngine)
  const database = openDatabase({ name: 'small', url: () => url, poolSize: 3, log: silentLog })
  const store = postgresTreeStore(database)
  const signal = AbortSignal.timeout(120_000)
  let end = (): void => undefined
  const pending = new Promise<void>((resolve) => {
    end = resolve
  })
  const order: number[] = []
  const writing = store.write('busy', () => pending, signal)
  const impatient = store.write('busy', async () => void order.push(-1), AbortSignal.timeout(100))
  const waiting = Array.from({ length: 10 }, (_, at) => store.write('busy', async () => void order.push(at), signal))
  await expect(impatient).rejects.toBeDefined()
  expect(await store.latest('calm', signal)).toBeUndefined()
  await store.write('calm', async () => void order.push(99), signal)
  end()
  await Promise.all([writing, ...waiting])
  expect(order).toEqual([99, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await database.stop()
  await dispose()
})
