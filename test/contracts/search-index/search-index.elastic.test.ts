import { Client } from '@elastic/elasticsearch'
import { expect, it } from 'vitest'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { silentLog } from '../../../foundation/log.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { indexed, searchIndexContract } from './search-index.contract.ts'

const url = realElasticsearch()
if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'search index: Elasticsearch')
else {
  searchIndexContract('Elasticsearch', async () => {
    const { prefix, clear } = freshPrefix(url)
    const open = (generation = '1-test') => elasticSearchIndex({ url, prefix, generation, log: silentLog })
    const [index, other, earlier] = [open(), open(), open('1-tes')]
    await Promise.all([index, other, earlier].map((each) => each.start(AbortSignal.timeout(60_000))))
    return {
      index,
      other,
      earlier,
      lose: clear,
      close: async () => {
        for (const each of [index, other, earlier]) await each.stop()
        await clear()
      },
    }
  })

  it('answers fifty concurrent searches after a write with few refreshes of Elasticsearch', async () => {
    await using names = freshPrefix(url)
    const index = elasticSearchIndex({ url, prefix: names.prefix, generation: '1-test', log: silentLog })
    const client = new Client({ node: url })
    const refreshes = async (): Promise<number> => {
      const { _all } = await client.indices.stats({ index: `${names.prefix}-expressions-*`, metric: 'refresh' })
      return _all.primaries?.refresh?.total ?? Number.NaN
    }
    try {
      await index.start(AbortSignal.timeout(60_000))
      await index.put([indexed({ id: 'before' })])
      const before = await refreshes()
      const [writes, searches] = [4, 50]
      for (let n = 1; n <= writes; n++) {
        await index.put([indexed({ id: `soon-${n}`, text: 'kiosque' })], { isDelayAllowed: true })
        const results = await Promise.all(Array.from({ length: searches }, () => index.match('kiosque', { filter: {}, limit: 10 })))
        expect(results).toHaveLength(searches)
      }
      // one for each write, and those that Elasticsearch makes by itself every second
      expect(await refreshes()).toBeLessThan(before + (writes * searches) / 5)
      await expect.poll(async () => (await index.match('kiosque', { filter: {}, limit: 10 })).length).toBe(writes)
      const settled = await refreshes()
      await Promise.all(Array.from({ length: searches }, () => index.match('kiosque', { filter: {}, limit: 1 })))
      expect(await refreshes()).toBeLessThan(settled + searches / 5)
    } finally {
      await index.stop()
      await client.close()
    }
  })
}
