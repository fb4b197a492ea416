import { expect, it } from 'vitest'
import { elasticSearchIndex } from '../../../subgraphs/engines/search-index/elasticsearch/elastic-search-index.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { unitVector } from '../../contracts/analytics-store/analytics-store.contract.ts'
import { StubServer, sendJson } from '../../support/engines/stub-server.ts'

const expression = {
  id: 'a',
  text: 'Le pont est cassé',
  lang: 'fr',
  domain: null,
  subDomain: null,
  sentiment: null,
  position: null,
  createdAt: new Date(0),
  embedding: unitVector(1),
  document: '{}',
  version: 1,
}

it('refuses a search after 3 s, and the next ones without waiting again, when Elasticsearch hangs before it shows what was put there', async () => {
  const server = await StubServer.open(({ url }, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch')
    if (url.includes('_bulk')) sendJson(response, { errors: false, took: 1, items: [{ index: { status: 201 } }] })
  })
  const index = elasticSearchIndex({ url: server.url, prefix: 'p', generation: '1', log: silentLog })
  await index.put([expression], { isSoonEnough: true })
  const refreshes = (): number => server.seen.filter(({ url }) => url.includes('_refresh')).length
  const search = async (): Promise<number> => {
    await expect(index.match('pont', { filter: {}, limit: 1 })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    return refreshes()
  }
  expect(await search()).toBe(1)
  expect(await search()).toBe(1)
  await server[Symbol.asyncDispose]()
  await index.stop()
})
