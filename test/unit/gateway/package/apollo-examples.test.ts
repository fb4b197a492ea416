import {
  type GraphQLDataSourceProcessOptions,
  IntrospectAndCompose,
  LocalGraphQLDataSource,
  RemoteGraphQLDataSource,
  type SupergraphManager,
  type SupergraphSdlHook,
} from '@apollo/gateway'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CivigraphGateway } from '../../../../gateway/package/civigraph-gateway.ts'
import { goodsSchema, pricesSchema, startDropIn, supergraphOf } from '../../../support/gateway/drop-in.ts'
import { foreign } from '../../../support/gateway/foreign-subgraph.ts'

/**
 * The examples of Apollo's documentation for ApolloGateway, with the class replaced.
 * @see https://www.apollographql.com/docs/apollo-server/using-federation/api/apollo-gateway
 */
async function startSubgraphs() {
  const seen: string[] = []
  const subgraphs = { goods: await foreign(goodsSchema(), seen), prices: await foreign(pricesSchema(), seen) }
  onTestFinished(async () => {
    await Promise.all(Object.values(subgraphs).map(({ stop }) => stop()))
  })
  const urlOf = (name: keyof typeof subgraphs): string => {
    const address = subgraphs[name].server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/graphql`
  }
  return { seen, urls: { goods: urlOf('goods'), prices: urlOf('prices') } }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const withPrice = '{ good(id: "2") { name price } }'
const priceOf2 = { data: { good: { name: 'good 2', price: 20 } } }

describe('composing subgraphs with IntrospectAndCompose', () => {
  it('answers, and picks up a changed subgraph by polling', async () => {
    const { urls } = await startSubgraphs()
    const subgraphs = [
      { name: 'goods', url: urls.goods },
      { name: 'prices', url: urls.prices },
    ]
    let schema = pricesSchema()
    const { ask } = await startDropIn({
      supergraphSdl: new IntrospectAndCompose({ subgraphs, pollIntervalInMs: 20, logger: quiet }),
      buildService: ({ name, url = '' }) =>
        name === 'goods'
          ? new RemoteGraphQLDataSource({ url })
          : { process: (options) => new LocalGraphQLDataSource(schema).process(options) },
      logger: quiet,
    })
    expect(await ask(withPrice)).toEqual(priceOf2)
    expect(await ask('{ currency country }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    schema = pricesSchema('extend type Query { country: String }')
    await expect.poll(() => ask('{ currency country }')).toEqual({ data: { currency: 'EUR', country: null } })
    expect(await ask(withPrice)).toEqual(priceOf2)
  })

  it('forwards introspectionHeaders', async () => {
    const { seen, urls } = await startSubgraphs()
    const subgraphs = [{ name: 'goods', url: urls.goods }]
    await startDropIn({
      supergraphSdl: new IntrospectAndCompose({ subgraphs, introspectionHeaders: { authorization: 'Bearer abc' } }),
      logger: quiet,
    })
    expect(seen).toContain('authorization: Bearer abc')
  })
})

describe('customising requests and responses', () => {
  class AuthenticatedDataSource extends RemoteGraphQLDataSource {
    override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions): void {
      request.http?.headers.set('authorization', String(context.userId))
    }
  }

  it('sends the header of willSendRequest to each subgraph', async () => {
    const { seen, urls } = await startSubgraphs()
    const { ask } = await startDropIn({
      supergraphSdl: supergraphOf(urls),
      buildService: ({ url = '' }) => new AuthenticatedDataSource({ url }),
      logger: quiet,
    })
    expect(await ask(withPrice, {}, { userId: 'ada' })).toEqual(priceOf2)
    expect(seen.filter((header) => header === 'authorization: ada')).toHaveLength(2)
  })

  it('takes willSendRequest of a configuration object, and the response of didReceiveResponse', async () => {
    const { seen, urls } = await startSubgraphs()
    const received: unknown[] = []
    const { ask } = await startDropIn({
      supergraphSdl: supergraphOf(urls),
      buildService: ({ url = '' }) =>
        new RemoteGraphQLDataSource({
          url,
          willSendRequest: ({ request }) => request.http?.headers.set('authorization', 'by hook'),
          didReceiveResponse({ response, context }) {
            received.push(context, response.http?.headers.get('content-type'))
            return response
          },
        }),
      logger: quiet,
    })
    const contextValue = { userId: 'ada' }
    expect(await ask(withPrice, {}, contextValue)).toEqual(priceOf2)
    expect(seen.filter((header) => header === 'authorization: by hook')).toHaveLength(2)
    expect(received[0]).toMatchObject(contextValue)
    expect(received[1]).toMatch(/json/)
  })
})

describe('a custom manager', () => {
  /** As in the documentation: updates itself, and checks the subgraphs before. */
  class CheckingManager implements SupergraphManager {
    readonly cleanup = vi.fn(async () => undefined)
    #hook: Parameters<SupergraphSdlHook>[0] | undefined
    readonly #first: string

    constructor(first: string) {
      this.#first = first
    }

    async initialize(hook: Parameters<SupergraphSdlHook>[0]) {
      this.#hook = hook
      await hook.healthCheck(this.#first)
      return { supergraphSdl: this.#first, cleanup: this.cleanup }
    }

    async offer(sdl: string): Promise<void> {
      await this.#hook?.healthCheck(sdl)
      this.#hook?.update(sdl)
    }
  }

  it('updates after a health check of the new subgraphs, and is cleaned up at a stop', async () => {
    const { urls } = await startSubgraphs()
    const manager = new CheckingManager(supergraphOf({ goods: urls.goods }))
    const { ask, server } = await startDropIn({ supergraphSdl: manager, logger: quiet })
    await expect(manager.offer(supergraphOf({ ...urls, prices: 'http://127.0.0.1:1/graphql' }))).rejects.toThrow(
      /health check failed.*\[prices\]/s,
    )
    expect(await ask(withPrice)).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    await manager.offer(supergraphOf(urls))
    expect(await ask(withPrice)).toEqual(priceOf2)
    await server.stop()
    expect(manager.cleanup).toHaveBeenCalledTimes(1)
  })

  it('offers the health check of all subgraphs, as gateway.serviceHealthCheck', async () => {
    const { urls } = await startSubgraphs()
    const { gateway }: { readonly gateway: CivigraphGateway } = await startDropIn({ supergraphSdl: supergraphOf(urls), logger: quiet })
    expect((await gateway.serviceHealthCheck()).map(({ name }) => name)).toEqual(['goods', 'prices'])
  })
})
