import { describe, expect, it } from 'vitest'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { keyValueContract, smallLimits } from './key-value.contract.ts'

keyValueContract('memory', async () => {
  const store = memoryKeyValue({ limits: smallLimits })
  return [store, store, () => store.stop()]
})

describe('memory', () => {
  it('evicts the least recently used value of the cache above its limit', async () => {
    const store = memoryKeyValue({ limits: { cache: 2 } }).partition('cache')
    await store.set('old', '1', 1000)
    await store.set('used', '2', 1000)
    await store.get('old')
    await store.set('new', '3', 1000)
    expect([await store.get('old'), await store.get('used'), await store.get('new')]).toEqual(['1', undefined, '3'])
  })

  it('evicts values of callers above a number of characters, and never the newest', async () => {
    const all = memoryKeyValue()
    const megabyte = 'x'.repeat(1024 * 1024)
    for (const name of ['cache', 'entities', 'searches', 'counters'] as const) {
      const store = all.partition(name)
      for (let index = 0; index < 100; index++) await store.set(`${index}`, megabyte, 1_000 + index)
      const stored = await Promise.all(Array.from({ length: 100 }, async (_, index) => (await store.get(`${index}`)) !== undefined))
      expect(stored.filter(Boolean).length).toBeGreaterThan(50)
      expect(stored.filter(Boolean).length).toBeLessThan(64)
      expect([stored[0], stored[99]]).toEqual([false, true])
      // replaced and deleted values count no longer
      for (let round = 0; round < 100; round++) await store.set('same', megabyte, 10)
      for (let index = 0; index < 100; index++) await store.delete(`${index}`)
      for (let index = 0; index < 30; index++) await store.set(`${index}`, megabyte, 1_000)
      expect(await store.get('0')).toBe(megabyte)
    }
  })

  it('evicts security state, entities and counters by earliest expiry above the limit, and never the newest lock', async () => {
    const all = memoryKeyValue({ limits: { security: 3, entities: 3, counters: 3 } })
    for (const store of [all, all.partition('entities'), all.partition('counters')]) {
      await store.set('lock', '1', 900_000)
      for (let failures = 0; failures < 100; failures++) await store.increment(`failures ${failures}`, 300_000 + failures)
      await store.set('newest', '2', 900_000)
      expect([await store.get('lock'), await store.get('newest'), await store.get('failures 0')]).toEqual(['1', '2', undefined])
    }
  })

  it('evicts expired values before any other', async () => {
    const clock = { at: 1, now: () => clock.at }
    const store = memoryKeyValue({ limits: { security: 3 }, clock })
    await store.set('short', '1', 10)
    await store.set('shorter', '2', 5)
    await store.set('lock', '3', 100)
    clock.at += 20
    for (const key of ['one', 'two']) await store.set(key, '4', 50)
    expect([await store.get('lock'), await store.get('one'), await store.get('two')]).toEqual(['3', '4', '4'])
  })
})
