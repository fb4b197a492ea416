import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PartitionedKeyValue } from '../../../engines/key-value/key-value.ts'

/** limits with which suites open stores that support limits */
export const smallLimits = { security: 100, claims: 100, counters: 100, cache: 100, entities: 100 }

/** @param open - returns two handles, as in two processes (the same one if they share memory), and a function that closes them */
export function keyValueContract(
  name: string,
  open: () => Promise<readonly [PartitionedKeyValue, PartitionedKeyValue, () => Promise<void>]>,
): void {
  describe(`key-value store: ${name}`, () => {
    let here: PartitionedKeyValue
    let there: PartitionedKeyValue
    let close: () => Promise<void>
    beforeAll(async () => {
      ;[here, there, close] = await open()
    })
    afterAll(() => close())

    it('returns the value that another process set, until it is deleted', async () => {
      const key = randomUUID()
      await here.set(key, 'first', 60_000)
      await there.set(key, 'déjà ✓', 60_000)
      expect(await here.get(key)).toBe('déjà ✓')
      await there.delete(key)
      expect(await here.get(key)).toBeUndefined()
    })

    it('expires a value', async () => {
      const key = randomUUID()
      await here.set(key, 'short', 1000)
      expect(await there.get(key)).toBe('short')
      await expect.poll(() => there.get(key)).toBeUndefined()
    })

    it('lets exactly one of many callers set an absent key, and another one after it has expired', async () => {
      const key = randomUUID()
      const first = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? here : there).setIfAbsent(key, `${index}`, 3000)),
      )
      expect(first.filter(Boolean)).toHaveLength(1)
      expect(await here.get(key)).toBe(`${first.indexOf(true)}`)
      await expect.poll(() => there.setIfAbsent(key, 'again', 60_000)).toBe(true)
      expect(await here.get(key)).toBe('again')
    })

    it('deletes a value only for its holder, not the value of the next one', async () => {
      const key = randomUUID()
      await here.set(key, 'first', 60_000)
      await there.deleteIf(key, 'second')
      expect(await here.get(key)).toBe('first')
      await there.deleteIf(key, 'first')
      expect(await here.get(key)).toBeUndefined()
      await here.deleteIf(key, 'first')
    })

    it('returns a unique count to each of many concurrent increments', async () => {
      const key = randomUUID()
      const counts = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? here : there).increment(key, 60_000)))
      expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    })

    it('does not extend a counter by counting, and starts over after its expiry', async () => {
      const key = randomUUID()
      expect(await here.increment(key, 2000)).toBe(1)
      expect(await there.increment(key, 2000)).toBe(2)
      // each poll increments: an extended counter would never expire
      await expect.poll(() => here.increment(key, 2000)).toBe(1)
    })

    it('separates equal keys of different partitions', async () => {
      const key = randomUUID()
      const stores = [here, here.partition('entities'), here.partition('counters'), here.partition('cache')]
      for (const [at, store] of stores.entries()) await store.set(key, `${at}`, 60_000)
      expect(await Promise.all(stores.map((store) => store.get(key)))).toEqual(['0', '1', '2', '3'])
      expect(await there.partition('cache').increment(`${key}:count`, 60_000)).toBe(1)
      expect(await here.partition('counters').increment(`${key}:count`, 60_000)).toBe(1)
      await here.partition('entities').delete(key)
      expect(await there.get(key)).toBe('0')
    })

    it('displaces no security state, whatever callers store in the other partitions', async () => {
      const key = randomUUID()
      await here.set(key, 'lock', 60_000)
      for (const name of ['counters', 'cache', 'entities', 'searches'] as const) {
        const partition = here.partition(name)
        await Promise.all(Array.from({ length: 150 }, (_, at) => partition.set(`${key}:${at}`, 'filled', 600_000 + at)))
        expect(await partition.get(`${key}:149`), name).toBe('filled')
        expect(await there.get(key), name).toBe('lock')
      }
    })

    it('answers a health check', async () => {
      await expect(here.health(AbortSignal.timeout(60_000))).resolves.toBeUndefined()
    })
  })
}
