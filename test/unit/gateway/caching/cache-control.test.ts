import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExecutor, type Executor } from '../../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { shop, shopSdl } from '../../../support/gateway/shop.ts'
import { recordedLog, type Served, serve } from '../../../support/gateway/town.ts'

describe('Cache-Control of answers, by the hints of the supergraph', () => {
  let executor: Executor
  let served: Served
  beforeAll(async () => {
    const supergraph = composeSupergraph(Object.entries(shopSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
    const { goods, prices } = shop().schemas
    const sources = { goods: inProcessSource({ schema: goods }), prices: inProcessSource({ schema: prices }) }
    executor = createExecutor({ supergraph, sources, eventTimeoutMs: 1000, authorization: {} })
    served = await serve({ executor, log: recordedLog().log, [Symbol.asyncDispose]: async () => undefined })
  })
  afterAll(() => served[Symbol.asyncDispose]())

  it.each([
    ['{ today }', { maxAge: 30, scope: 'PUBLIC' }],
    ['{ now }', undefined],
    ['{ today now }', undefined],
    ['{ __typename today }', { maxAge: 30, scope: 'PUBLIC' }],
    ['{ __schema { queryType { name } } }', undefined],
    ['{ clerk { name } }', { maxAge: 50, scope: 'PUBLIC' }],
    ['{ goods { name } }', { maxAge: 300, scope: 'PUBLIC' }],
    ['{ good(id: 1) { name } }', { maxAge: 120, scope: 'PUBLIC' }],
    ['{ good(id: 1) { shelf { row } } }', undefined],
    ['{ good(id: 1) { maker { name } } }', { maxAge: 120, scope: 'PUBLIC' }],
    ['{ things { __typename ... on Shelf { row } } }', { maxAge: 10, scope: 'PUBLIC' }],
    ['{ me { name } }', { maxAge: 60, scope: 'PRIVATE' }],
    ['{ goods { ...parts } } fragment parts on Good { name discount }', { maxAge: 60, scope: 'PRIVATE' }],
    ['{ goods { price stock } }', undefined],
    ['{ goods { secret } }', { maxAge: 300, scope: 'PRIVATE' }],
    ['mutation { order { name } }', undefined],
  ])('of %s', (query, policy) => expect(executor.cachePolicy(executor.prepare(query))).toEqual(policy))

  it('is private to one caller: Vary names the headers by which callers differ', async () => {
    const varies = async (query: string): Promise<string | null> => {
      const answer = await fetch(`${served.graphql}?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1' } })
      return answer.headers.get('vary')
    }
    expect(await varies('{ me { name } }')).toMatch(/Accept, authorization, x-service-api-key$/)
    expect(await varies('{ today }')).toMatch(/Accept$/)
  })

  it('is sent over HTTP and through Apollo Server, and is no-store for a response with errors', async () => {
    const headersOf = async (query: string): Promise<unknown> => {
      const posted = await fetch(served.graphql, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const byGet = await fetch(`${served.graphql}?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1' } })
      expect(byGet.headers.get('cache-control')).toBe(posted.headers.get('cache-control'))
      expect(byGet.headers.get('vary')).toBe(posted.headers.get('vary'))
      return [posted.headers.get('cache-control'), /\bAccept\b/.test(posted.headers.get('vary') ?? '')]
    }
    expect(await headersOf('{ goods { name price } }')).toEqual(['max-age=60, public', true])
    expect(await headersOf('{ me { name } }')).toEqual(['max-age=60, private', true])
    expect(await headersOf('{ now }')).toEqual(['no-store', false])
    // the field is refused to the anonymous caller, with an error
    expect(await headersOf('{ goods { secret } }')).toEqual(['no-store', true])
    expect(await headersOf('{ goods { broken } }')).toEqual(['no-store', true])
  })
})
