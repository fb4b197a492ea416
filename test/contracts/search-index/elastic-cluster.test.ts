import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { Client } from '@elastic/elasticsearch'
import { describe, expect, it } from 'vitest'
import { expressionsAlias } from '../../../engines/search-index/elasticsearch/elastic-schema.ts'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { elasticsearchHealth } from '../../../engines/search-index/elasticsearch/search-engine-health.ts'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { freshPrefix } from '../../support/engines/elasticsearch.ts'
import { realElasticsearch, skippedWithout } from '../../support/engines/engines.ts'
import { indexed } from './search-index.contract.ts'

const url = realElasticsearch()
const apiKey = 'aWQ6c2VjcmV0'
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
/** an address without a listener */
const unreachable = 'http://127.0.0.1:9'

/** Opens a proxy to the real node that admits only the API key. */
async function guardedNode(to: string) {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `ApiKey ${apiKey}`)
      return void response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    const { authorization: _, connection: __, ...headers } = request.headers
    const upstream = forward(new URL(request.url ?? '/', to), { method: request.method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: listenerUrl(server, '127.0.0.1'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

if (url === undefined) skippedWithout('ELASTICSEARCH_URL', 'Elasticsearch of several nodes')
else
  describe('Elasticsearch of several nodes, with an API key', () => {
    it('is used while one of its nodes answers', async () => {
      await using open = new AsyncDisposableStack()
      const { prefix } = open.use(freshPrefix(url))
      const node = open.use(await guardedNode(url))
      const index = elasticSearchIndex({ url: `${unreachable},${node.url}`, apiKey, prefix, generation: '1', log })
      open.defer(() => index.stop())
      await index.start(signal())
      for (let n = 0; n < 5; n++) await index.put([indexed({ id: `stored-${n}` })])
      expect([...(await index.find(['stored-0', 'stored-4'])).keys()].toSorted()).toEqual(['stored-0', 'stored-4'])
      expect(await elasticsearchHealth({ url: `${unreachable},${node.url}`, apiKey }, signal())).toBeUndefined()
    })

    it('refuses another key, with the reason', async () => {
      await using node = await guardedNode(url)
      const index = elasticSearchIndex({ url: node.url, apiKey: 'another', prefix: 'p', generation: '1', log })
      await expect(index.start(signal())).rejects.toThrow(/Elasticsearch.*rejects the credentials.*ELASTICSEARCH_API_KEY/)
      await index.stop()
      await expect(elasticsearchHealth({ url: node.url, apiKey: 'another' }, signal())).rejects.toThrow('returned HTTP 401')
      await expect(elasticsearchHealth({ url: `${unreachable},${unreachable}` }, signal())).rejects.toThrow(
        'no node of ELASTICSEARCH_URL responds',
      )
    })

    it('has the configured shards and replicas, also after a rebuild', async () => {
      await using open = new AsyncDisposableStack()
      const { prefix } = open.use(freshPrefix(url))
      const client = new Client({ node: url })
      open.defer(() => client.close())
      const index = elasticSearchIndex({ url, prefix, generation: '1', shards: 2, replicas: 0, log })
      open.defer(() => index.stop())
      await index.start(signal())
      const sizes = async () =>
        Object.values(await client.indices.getSettings({ index: expressionsAlias(prefix, '1'), flat_settings: true })).map(
          ({ settings }) => {
            const all = new Map(Object.entries({ ...settings }))
            return [all.get('index.number_of_shards'), all.get('index.number_of_replicas')]
          },
        )
      expect(await sizes()).toEqual([['2', '0']])
      await index.put([indexed({ id: 'stored' })])
      const rebuilt = await index.rebuild()
      await rebuilt.put([indexed({ id: 'stored' })])
      await rebuilt.publish()
      expect(await sizes()).toEqual([['2', '0']])
      expect([...(await index.find(['stored'])).keys()]).toEqual(['stored'])
    })
  })
