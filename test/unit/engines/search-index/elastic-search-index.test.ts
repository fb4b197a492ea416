import { expect, it } from 'vitest'
import { elasticSearchIndex } from '../../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import { silentLog } from '../../../../foundation/log.ts'
import { unitVector } from '../../../contracts/analytics-store/analytics-store.contract.ts'
import { StubServer, sendJson } from '../../../support/engines/stub-server.ts'

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

it('refuses a search after 3 s, and later ones at once, while a refresh hangs after a write', async () => {
  const server = await StubServer.open(({ url }, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch')
    if (url.includes('_bulk')) sendJson(response, { errors: false, took: 1, items: [{ index: { status: 201 } }] })
  })
  const index = elasticSearchIndex({ url: server.url, prefix: 'p', generation: '1', log: silentLog })
  await index.put([expression], { isDelayAllowed: true })
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

it('answers from the last refreshed state when a refresh takes too long, and sends one refresh for concurrent searches', async () => {
  const server = await StubServer.open(({ url }, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch')
    if (url.includes('_bulk')) sendJson(response, { errors: false, took: 1, items: [{ index: { status: 201 } }] })
    if (url.includes('_search')) sendJson(response, { hits: { hits: [{ _id: 'b', _score: 1, _source: { document: '{}' } }] } })
  })
  const index = elasticSearchIndex({ url: server.url, prefix: 'p', generation: '1', log: silentLog })
  await index.put([expression], { isDelayAllowed: true })
  const results = await Promise.all(Array.from({ length: 20 }, () => index.match('pont', { filter: {}, limit: 1 })))
  expect(new Set(results.flat().map(({ id }) => id))).toEqual(new Set(['b']))
  expect(results.flat()).toHaveLength(20)
  expect(server.seen.filter(({ url }) => url.includes('_refresh'))).toHaveLength(1)
  await server[Symbol.asyncDispose]()
  await index.stop()
})

it('sends no refresh when it has written nothing', async () => {
  const server = await StubServer.open((_, response) => {
    response.setHeader('x-elastic-product', 'Elasticsearch')
    sendJson(response, { hits: { hits: [] } })
  })
  const index = elasticSearchIndex({ url: server.url, prefix: 'p', generation: '1', log: silentLog })
  expect(await index.match('pont', { filter: {}, limit: 1 })).toEqual([])
  expect(server.seen.map(({ url }) => url)).toEqual([expect.stringContaining('_search')])
  await server[Symbol.asyncDispose]()
  await index.stop()
})
