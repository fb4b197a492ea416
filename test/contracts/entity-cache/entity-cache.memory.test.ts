import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { entityCacheContract } from './entity-cache.contract.ts'

entityCacheContract('in memory', async () => {
  const store = memoryKeyValue()
  return { store, close: () => store.stop() }
})
