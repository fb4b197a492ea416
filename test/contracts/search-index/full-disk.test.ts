import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lanceSearchIndex } from '../../../engines/search-index/lancedb/lance-search-index.ts'
import type { IndexedExpression as Row, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { Stalled } from '../../../foundation/health/stalled.ts'
import { silentLog } from '../../../foundation/log.ts'
import { mountSmallDisk } from '../../fault-matrix/engines/small-disk.ts'
import { skippedWithout } from '../../support/engines/engines.ts'
import { unitVector } from '../analytics-store/analytics-store.contract.ts'
import { indexed } from './search-index.contract.ts'

const folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
const disk = await mountSmallDisk(folder, 16)

if (disk === undefined) {
  await rm(folder, { recursive: true })
  skippedWithout('a mount (root)', 'LanceDB on a disk that is full')
} else
  it('LanceDB on a full disk refuses writes, keeps its data, answers reads, reports the state, and continues after space is freed', async () => {
    await using mounted = disk
    const open = () => lanceSearchIndex({ folder: join(mounted.folder, 'index'), generation: '1-test', log: silentLog })
    const signal = AbortSignal.timeout(60_000)
    const [index, later] = [open(), open()]
    await index.start(signal)
    try {
      const [before, meanwhile, soon] = ['avant', 'pendant', 'bientôt'].map((text) => indexed({ text })) as [Row, Row, Row]
      await index.put([before])
      const identity = await index.identity()
      await mounted.fill()

      const full = { code: 'ENGINE_UNAVAILABLE', cause: { message: expect.stringContaining('No space left on device') } }
      const changed = indexed({ ...before, text: 'changé', version: 2 })
      const writes = [
        () => index.put([meanwhile]),
        () => index.put([changed]),
        () => index.put([meanwhile], { areNew: true }),
        () => index.remove([before.id]),
        () => index.putPhrases([], [{ id: 'a', domain: 'health', fingerprint: '1', text: 'a', embedding: unitVector(1) }]),
        () => index.tidy(),
      ]
      for (const write of writes) await expect(write()).rejects.toMatchObject(full)
      await expect(index.rebuild()).rejects.toThrow()
      await index.put([soon], { isDelayAllowed: true, areNew: true })
      await expect.poll(() => index.health(signal).catch((error: unknown) => error)).toBeInstanceOf(Stalled)
      await expect(index.health(signal)).rejects.toThrow(/^Its disk is full: .*free disk space/)

      // also for a process that starts in the meantime
      await later.start(signal)
      const idsOf = async (each: SearchIndex, text: string) => (await each.match(text, { filter: {}, limit: 5 })).map(({ id }) => id)
      for (const each of [index, later]) {
        expect(await each.count()).toBe(1)
        expect(await each.identity()).toBe(identity)
        expect([await idsOf(each, 'avant'), await idsOf(each, 'changé'), await idsOf(each, 'pendant')]).toEqual([[before.id], [], []])
        expect(await each.find([before.id, meanwhile.id])).toEqual(new Map([[before.id, before.document]]))
      }

      await mounted.free()
      await index.put([meanwhile])
      await expect.poll(() => later.count()).toBe(3)
      for (const { id, text } of [before, meanwhile, soon]) expect(await idsOf(later, text)).toEqual([id])
    } finally {
      await Promise.all([index.stop(), later.stop()])
    }
  })
