import { elasticSearchIndex } from '../../../subgraphs/engines/search-index/elasticsearch/elastic-search-index.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { searchIndexContract } from './search-index.contract.ts'

const url = realElasticsearch()
if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'search index: Elasticsearch')
else
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
