import { describe, expect, it } from 'vitest'
import { memoryKeyValue } from '../../../subgraphs/engines/key-value/memory-key-value.ts'
import { keyValueContract } from './key-value.contract.ts'

keyValueContract('memory', async () => {
  const store = memoryKeyValue()
  return [store, store, () => store.stop()]
})

describe('memory', () => {
  it('drops the least recently used value beyond its limit', async () => {
    const store = memoryKeyValue({ maxEntries: 2 })
    await store.set('old', '1', 1000)
    await store.set('used', '2', 1000)
    await store.get('old')
    await store.set('new', '3', 1000)
    expect([await store.get('old'), await store.get('used'), await store.get('new')]).toEqual(['1', undefined, '3'])
  })
})
