import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lanceSearchIndex } from '../../subgraphs/engines/search-index/lance-search-index.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import { searchIndexContract } from './search-index.contract.ts'

searchIndexContract('LanceDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
  const open = () => lanceSearchIndex({ folder, generation: '1-test', log: silentLog })
  const [index, other] = [open(), open()]
  for (const each of [index, other]) await each.start(AbortSignal.timeout(20_000))
  return {
    index,
    other,
    lose: () => rm(folder, { recursive: true }),
    close: async () => {
      for (const each of [index, other]) await each.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
