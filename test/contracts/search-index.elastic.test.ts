import { randomBytes } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'
import { elasticSearchIndex } from '../../subgraphs/engines/search-index/elastic-search-index.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import { realElasticsearch, skippedWithout } from '../support/engines.ts'
import { searchIndexContract } from './search-index.contract.ts'

const url = realElasticsearch()
if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'search index: Elasticsearch')
else
  searchIndexContract('Elasticsearch', async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const open = () => elasticSearchIndex({ url, prefix, generation: '1-test', log: silentLog })
    const [index, other] = [open(), open()]
    await Promise.all([index, other].map((each) => each.start(AbortSignal.timeout(20_000))))
    const lose = async (): Promise<void> => {
      const client = new Client({ node: url })
      const names = Object.keys(await client.indices.get({ index: `${prefix}-*` }))
      if (names.length > 0) await client.indices.delete({ index: names })
      await client.close()
    }
    return {
      index,
      other,
      lose,
      close: async () => {
        for (const each of [index, other]) await each.stop()
        await lose()
      },
    }
  })
