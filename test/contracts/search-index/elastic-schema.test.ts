import { Client } from '@elastic/elasticsearch'
import { expect, it } from 'vitest'
import { openElasticSchema, phrasesAlias } from '../../../engines/search-index/elasticsearch/elastic-schema.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { indexed } from './search-index.contract.ts'

const url = realElasticsearch()
const generation = '1-test'
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'schema of Elasticsearch')
else
  it.each([
    ['the last index is missing', (client: Client, alias: string) => client.indices.delete({ index: `${alias}.first` })],
    [
      'the alias of the last index is missing',
      (client: Client, alias: string) => client.indices.deleteAlias({ index: `${alias}.first`, name: alias }),
    ],
  ])(
    'with MIGRATE=off a half-applied schema starts degraded and is reported, "migrate apply" finishes it, and no data is lost: %s',
    async (_, undo) => {
      await using open = new AsyncDisposableStack()
      const names = open.use(freshPrefix(url))
      const { prefix } = names
      const client = new Client({ node: url })
      open.defer(() => client.close())
      const schema = openElasticSchema({ url, prefix, generation })
      open.defer(() => schema.stop())
      await schema.start(signal())
      const apply = async (): Promise<readonly string[]> => {
        const done: string[] = []
        await schema.apply({ signal: signal(), onProgress: (sentence) => done.push(sentence) })
        return done
      }
      const start = async () => {
        const index = elasticSearchIndex({ url, prefix, generation, migrate: false, log })
        open.defer(() => index.stop())
        await index.start(signal())
        return index
      }
      expect(await apply()).toHaveLength(2)
      const first = await start()
      await first.put([indexed({ id: 'kept' })])
      const phrases = phrasesAlias(prefix, generation)
      await undo(client, phrases)

      const half = await start()
      const sentence = `${phrases} missing: run "civigraph migrate apply"`
      expect(half.absence).toBe(`The search index cannot be used: ${sentence}`)
      await expect(half.health(signal())).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', cause: { message: sentence } })
      await expect(half.taxonomy()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
      expect(await schema.status(signal())).toMatchObject({ applied: 1, pending: [{ name: phrases }] })
      expect([...(await half.find(['kept'])).keys()]).toEqual(['kept'])

      expect(await apply()).toHaveLength(1)
      expect(await schema.status(signal())).toMatchObject({ applied: 2, pending: [] })
      expect(await half.health(signal())).toBeUndefined()
      expect(await half.taxonomy()).toEqual(new Map())
      const complete = await start()
      expect(complete.absence).toBeUndefined()
      expect([...(await complete.find(['kept'])).keys()]).toEqual(['kept'])
      expect(await apply()).toEqual([])
    },
  )
