import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import { silentLog } from '../../../foundation/log.ts'
import { searchIndexContract } from './search-index.contract.ts'

searchIndexContract('LanceDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-index-'))
  const open = (generation = '1-test') => lanceSearchIndex({ folder, generation, log: silentLog })
  const [index, other, earlier] = [open(), open(), open('1-tes')]
  for (const each of [index, other, earlier]) await each.start(AbortSignal.timeout(60_000))
  return {
    index,
    other,
    earlier,
    lose: () => rm(folder, { recursive: true }),
    close: async () => {
      for (const each of [index, other, earlier]) await each.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
