import {
  type GraphQLDataSource,
  IntrospectAndCompose,
  LocalGraphQLDataSource,
  RemoteGraphQLDataSource,
  UplinkSupergraphManager,
} from '@apollo/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CallerContext, CivigraphGateway, type CivigraphGatewayOptions } from '../../../../gateway/package/civigraph-gateway.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { both, changing, goodsAlone, goodsSchema, pricesSchema, startDropIn, supergraphOf } from '../../../support/gateway/drop-in.ts'
import { shop, shopSdl } from '../../../support/gateway/shop.ts'

const buildService = ({ name }: { readonly name: string }): GraphQLDataSource =>
  new LocalGraphQLDataSource(name === 'goods' ? goodsSchema() : pricesSchema())
const withPrice = 'query ($id: ID!) { good(id: $id) { name price } }'
const priceOf2 = { data: { good: { name: 'good 2', price: 20 } } }
const nameOf2 = { data: { good: { name: 'good 2' } } }
const logged = () => {
  const lines: string[] = []
  const note = (message: unknown): void => void lines.push(String(message))
  return { lines, logger: { debug: () => undefined, info: () => undefined, warn: note, error: note } }
}

const protectedGoods = supergraphOf(undefined, 'extend type Query { secret: String @authenticated }')

describe('a supergraph', () => {
  it.each([
    ['a text', both],
    ['a function', async () => ({ supergraphSdl: both })],
    ['a manager', { initialize: async () => ({ supergraphSdl: both }) }],
  ])('may be %s', async (_, supergraphSdl) => {
    const { ask } = await startDropIn({ supergraphSdl, buildService })
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
  })

  it('is replaced by an update, for Apollo Server as well', async () => {
    const { supergraphSdl, update } = changing(goodsAlone)
    const { ask, gateway } = await startDropIn({ supergraphSdl, buildService })
    const seen: { readonly sdl: string; readonly types: readonly string[] }[] = []
    gateway.onSchemaLoadOrUpdate(({ apiSchema, coreSupergraphSdl }) =>
      seen.push({ sdl: coreSupergraphSdl, types: Object.keys(apiSchema.getType('Good')?.toConfig().astNode ?? {}) }),
    )
    expect(await ask(withPrice, { id: '2' })).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    update(both)
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
    update(both)
    expect(seen.map(({ sdl }) => sdl)).toEqual([both])
  })

  it('is compared by its whole text: a change that ApolloGateway does not see is an update', async () => {
    const { supergraphSdl, update } = changing(both)
    const { gateway } = await startDropIn({ supergraphSdl, buildService })
    const seen: string[] = []
    gateway.onSchemaLoadOrUpdate(({ coreSupergraphSdl }) => seen.push(coreSupergraphSdl))
    update(`${both}\n# reviewed\n`)
    expect(seen).toEqual([`${both}\n# reviewed\n`])
  })

  it.each([
    ['does not parse', 'type Query {', /Syntax Error/],
    ['is no supergraph', 'type Query { a: Int }', /supergraph/i],
    ['protects fields', protectedGoods, /protects fields with @authenticated/],
    ['ApolloGateway would serve unprotected', protectedGoods.replace(', for: SECURITY', ''), /protects fields with @authenticated/],
    ['is missing', undefined, /returned no supergraph/],
  ])('that %s is refused at the start, and as an update with the previous one kept', async (_, sdl, message) => {
    const bad = sdl as string
    const { logger, lines } = logged()
    await expect(new CivigraphGateway({ supergraphSdl: async () => ({ supergraphSdl: bad }), logger }).load()).rejects.toThrow(message)
    const { supergraphSdl, update } = changing(both)
    const { ask, gateway } = await startDropIn({ supergraphSdl, buildService, logger })
    const before = gateway.schema
    expect(() => update(bad)).toThrow(message)
    expect(lines.join()).toMatch(/previous one stays in use/)
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
    expect(gateway.schema).toBe(before)
    update(goodsAlone)
    expect(await ask('{ good(id: "2") { name } }')).toEqual(nameOf2)
    expect(await ask(withPrice, { id: '2' })).toMatchObject({ errors: [{}] })
  })

  it('that ApolloGateway refuses changes nothing here either', async () => {
    const { supergraphSdl, update } = changing(goodsAlone)
    let refuses = false
    const { ask } = await startDropIn({
      supergraphSdl,
      logger: logged().logger,
      buildService: (graph) => {
        if (refuses) throw new Error('no certificate for prices')
        return buildService(graph)
      },
    })
    refuses = true
    expect(() => update(both)).toThrow('no certificate for prices')
    expect(await ask(withPrice, { id: '2' })).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    refuses = false
    update(both)
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
  })

  it('with authorization directives is enforced for the caller of contextOf', async () => {
    const { ask } = await startDropIn({
      supergraphSdl: protectedGoods,
      buildService,
      authorization: {},
      contextOf: (contextValue) => ({
        principal: 'user' in contextValue ? { service: { name: String(contextValue.user), scopes: [] } } : {},
        requestId: 'request-1',
      }),
    })
    expect(await ask('{ secret }')).toMatchObject({
      data: { secret: null },
      errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', requestId: 'request-1' } }],
    })
    expect(await ask('{ secret }', {}, { user: 'ada' })).toEqual({ data: { secret: null } })
  })

  it('that is refused at the start ends its manager, as in ApolloGateway', async () => {
    let cleanups = 0
    const cleanup = async (): Promise<void> => {
      cleanups += 1
    }
    const supergraphSdl = async () => ({ supergraphSdl: 'type Query {', cleanup })
    await expect(new CivigraphGateway({ supergraphSdl, logger: logged().logger }).load()).rejects.toThrow(/Syntax Error/)
    expect(cleanups).toBe(1)
  })

  it.each([
    ['is no function', 3, 0],
    ['returns no promise', () => undefined, 0],
    ['fails', () => Promise.reject(new Error('disk full')), 1],
  ])('that is refused at the start is reported also if its cleanup %s', async (_, cleanup, failures) => {
    const { logger, lines } = logged()
    const supergraphSdl = async () => ({ supergraphSdl: 'type Query {', cleanup: cleanup as () => Promise<void> })
    await expect(new CivigraphGateway({ supergraphSdl, logger }).load()).rejects.toThrow(/Syntax Error/)
    expect(lines.filter((line) => line.includes('disk full'))).toHaveLength(failures)
  })

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'that is updated %i turns after its manager has returned is the one that ApolloGateway holds',
    async (turns) => {
      const gateway = new CivigraphGateway({
        async supergraphSdl({ update }) {
          let turn = Promise.resolve()
          for (let count = 0; count < turns; count += 1) turn = turn.then(() => undefined)
          void turn.then(() => update(both))
          return { supergraphSdl: goodsAlone }
        },
        buildService,
        logger: logged().logger,
      })
      onTestFinished(() => gateway.stop())
      await gateway.load()
      await new Promise(setImmediate)
      const hasPrices = gateway.__testing().supergraphSdl?.includes('http://prices.test')
      expect(Object.keys(gateway.schema?.getQueryType()?.getFields() ?? {}).includes('currency')).toBe(hasPrices)
    },
  )

  it('cannot be updated after a stop, as in ApolloGateway', async () => {
    const { supergraphSdl, update } = changing(goodsAlone)
    const gateway = new CivigraphGateway({ supergraphSdl, buildService, logger: logged().logger })
    await gateway.load()
    await gateway.stop()
    expect(() => update(both)).toThrow("Can't call `update` callback after gateway has been stopped.")
  })
})

describe('options', () => {
  it.each([
    ['serviceList', [], 'supergraphSdl: new IntrospectAndCompose'],
    ['localServiceList', [], 'supergraphSdl: composeSupergraph'],
    ['uplinkEndpoints', [], 'a function as supergraphSdl'],
    ['experimental_updateServiceDefinitions', () => undefined, 'a function as supergraphSdl'],
    ['experimental_didUpdateSupergraph', () => undefined, 'onSchemaLoadOrUpdate'],
    ['experimental_anything', true, 'no experimental option'],
  ])('%s is refused with its replacement', (name, value, replacement) => {
    const options: CivigraphGatewayOptions = { supergraphSdl: both, ...{ [name]: value } }
    expect(() => new CivigraphGateway(options)).toThrow(`CivigraphGateway does not support ${name}: use ${replacement}`)
  })

  it('refuse Uplink, given or by default', () => {
    const uplink = new UplinkSupergraphManager({ apiKey: 'k', graphRef: 'g@v', logger: logged().logger, fallbackPollIntervalInMs: 10_000 })
    expect(() => new CivigraphGateway({ supergraphSdl: uplink })).toThrow(/does not support Uplink/)
    expect(() => new CivigraphGateway({} as CivigraphGatewayOptions)).toThrow(/does not support Uplink/)
  })

  it.each([
    ['supergraphSdl', { supergraphSdl: 3 }, 'supergraphSdl must be a text, a function or a manager'],
    ['supergraphSdl', { supergraphSdl: {} }, 'supergraphSdl must be a text, a function or a manager'],
    ['buildService', { supergraphSdl: both, buildService: {} }, 'buildService must be a function'],
    ['contextOf', { supergraphSdl: both, contextOf: {} }, 'contextOf must be a function'],
    ['everything', undefined, 'does not support Uplink'],
  ])('of a wrong kind are refused: %s', (_, options, message) => {
    const wrong: unknown = options
    expect(() => new CivigraphGateway(wrong as CivigraphGatewayOptions)).toThrow(message)
  })

  it('let contextOf return a caller only, not the promise of one', async () => {
    const promised: unknown = Promise.resolve({ principal: {}, requestId: 'request-1' })
    const { ask } = await startDropIn({ supergraphSdl: both, buildService, contextOf: () => promised as CallerContext })
    expect(await ask(withPrice, { id: '2' })).toMatchObject({
      errors: [{ message: expect.stringContaining('contextOf returned no caller') }],
    })
  })

  it('let a buildService return data sources only', async () => {
    const supergraphSdl = goodsAlone
    const wrong = undefined as unknown as GraphQLDataSource
    const gateway = new CivigraphGateway({ supergraphSdl, buildService: () => wrong, logger: logged().logger })
    await expect(gateway.load()).rejects.toThrow('buildService returned no data source for the subgraph "goods"')
  })
})

describe('execution: apollo', () => {
  it('runs ApolloGateway’s executor, and has no streams', async () => {
    const { ask, gateway } = await startDropIn({ supergraphSdl: both, buildService, execution: 'apollo' })
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
    expect(() => gateway.httpHandler()).toThrow(/has no streams/)
    expect(() => gateway.graphqlWsOptions()).toThrow(/has no streams/)
  })

  it('refuses authorization directives, which ApolloGateway does not enforce', async () => {
    const supergraphSdl = protectedGoods
    await expect(new CivigraphGateway({ supergraphSdl, buildService, execution: 'apollo' }).load()).rejects.toThrow(
      "execution: 'apollo' does not enforce @authenticated",
    )
  })
})

describe('data sources', () => {
  const from = (source: Partial<GraphQLDataSource> | (() => unknown), options: Partial<CivigraphGatewayOptions> = {}) =>
    startDropIn({
      supergraphSdl: both,
      logger: logged().logger,
      buildService: (graph) =>
        graph.name === 'prices'
          ? ((typeof source === 'function' ? { process: source } : source) as GraphQLDataSource)
          : buildService(graph),
      ...options,
    })
  const good2 = { name: 'good 2', price: null }

  it('that throw are answered with their message, as in ApolloGateway', async () => {
    for (const execution of ['civigraph', 'apollo'] as const) {
      const { ask } = await from(() => Promise.reject(new Error('no route to prices')), { execution })
      expect(await ask(withPrice, { id: '2' })).toMatchObject({
        data: { good: good2 },
        errors: [{ message: 'no route to prices', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
      })
    }
  })

  it('that hang end at the deadline', async () => {
    const { ask } = await from(() => new Promise(() => undefined), { requestTimeoutMs: 50 })
    expect(await ask(withPrice, { id: '2' })).toMatchObject({
      data: { good: good2 },
      errors: [{ extensions: { code: 'DEADLINE_EXCEEDED' } }],
    })
  })

  it('that hang in a mutation leave its outcome unknown', async () => {
    const buildService = () => ({ process: () => new Promise<never>(() => undefined) })
    const { ask } = await startDropIn({ supergraphSdl: goodsAlone, buildService, requestTimeoutMs: 50 })
    expect(await ask('mutation { sell(id: "1") { name } }')).toMatchObject({ errors: [{ extensions: { code: 'OUTCOME_UNKNOWN' } }] })
  })

  it('that hang end when the signal of contextOf is aborted', async () => {
    const client = new AbortController()
    const started = Promise.withResolvers<void>()
    const { ask } = await from(
      () => {
        started.resolve()
        return new Promise(() => undefined)
      },
      { contextOf: () => ({ principal: {}, requestId: 'request-1', signal: client.signal }) },
    )
    const answer = ask(withPrice, { id: '2' })
    await started.promise
    client.abort()
    expect(await answer).toMatchObject({ data: { good: good2 }, errors: [{ message: 'The client closed the connection' }] })
  })

  it('that answer twice are answered by their first answer', async () => {
    const { ask } = await from(
      () =>
        new Promise((resolve, reject) => {
          resolve({ data: { _entities: [{ price: 20 }] } })
          resolve({ data: { _entities: [{ price: 30 }] } })
          reject(new Error('late'))
        }),
    )
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
  })

  it('may return one response again: it is not changed', async () => {
    const response = { data: { _entities: [{ price: 20 }] } }
    const { ask } = await from(async () => response)
    for (let time = 0; time < 2; time += 1) expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
    expect(response).toEqual({ data: { _entities: [{ price: 20 }] } })
  })

  it('may return null as errors, as in ApolloGateway', async () => {
    const { ask } = await from(async () => ({ data: { _entities: [{ price: 20 }] }, errors: null }))
    expect(await ask(withPrice, { id: '2' })).toEqual(priceOf2)
  })

  it.each([
    ['nothing', undefined, 'returned no response'],
    ['no data', {}, 'returned no data'],
    ['errors that are not a list', { data: {}, errors: 'unavailable' }, 'returned `errors` that is not a list'],
  ])('that return %s are named', async (_, response, message) => {
    const { ask } = await from(async () => response)
    expect(await ask(withPrice, { id: '2' })).toMatchObject({
      data: { good: good2 },
      errors: [{ message: expect.stringContaining(`"prices" ${message}`) }],
    })
  })

  it('without a URL fail their requests, not the load', async () => {
    const { ask } = await startDropIn({
      supergraphSdl: both,
      logger: logged().logger,
      buildService: (graph) => (graph.name === 'prices' ? new RemoteGraphQLDataSource({}) : buildService(graph)),
    })
    expect(await ask(withPrice, { id: '2' })).toMatchObject({ errors: [{ message: expect.stringContaining('"prices" has no http URL') }] })
  })

  it('get the context of Apollo Server', async () => {
    const { ask } = await startDropIn({ supergraphSdl: goodsAlone, buildService })
    expect(await ask('{ caller }', {}, { user: 'ada' })).toEqual({ data: { caller: 'ada' } })
  })
})

it('passes messages of errors, and masks them when asked to', async () => {
  const plain = await startDropIn({ supergraphSdl: goodsAlone, buildService })
  const message = 'no connection to 10.1.2.3'
  expect(await plain.ask('{ crash }')).toMatchObject({
    errors: [{ message, extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', serviceName: 'goods' } }],
  })
  const masked = await startDropIn({ supergraphSdl: goodsAlone, buildService, maskErrors: true, logger: logged().logger })
  expect(await masked.ask('{ crash }')).toMatchObject({ errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL' } }] })
})

it('gives Apollo Server the cache hints of the supergraph', async () => {
  const supergraphSdl = composeSupergraph(Object.entries(shopSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))
  const { schemas } = shop()
  const { server } = await startDropIn({
    supergraphSdl,
    authorization: {},
    buildService: ({ name }) => new LocalGraphQLDataSource(name === 'goods' ? schemas.goods : schemas.prices),
  })
  const hintFor = async (query: string): Promise<string | undefined> =>
    (await server.executeOperation({ query })).http.headers.get('cache-control')
  expect(await hintFor('{ today }')).toBe('max-age=30, public')
  expect(await hintFor('{ now }')).toBe('no-store')
})

it('answers introspection with @defer, and operations with it as a whole', async () => {
  const { ask } = await startDropIn({ supergraphSdl: both, buildService })
  expect(JSON.stringify(await ask('{ __schema { directives { name } } }'))).toContain('"defer"')
  expect(await ask('{ good(id: "2") { name ... @defer { price } } }')).toEqual(priceOf2)
})

it('loads every supergraph that the executor serves, with links that ApolloGateway refuses', async () => {
  const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@authenticated", "@requiresScopes", "@policy", "@context", "@fromContext", "@cost", "@listSize"])
    type Query { shop: Shop @cost(weight: 3)  shops(first: Int): [Shop!]! @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)  secret: String @authenticated @requiresScopes(scopes: [["a"]]) @policy(policies: [["p"]]) }
    type Shop @key(fields: "id") @context(name: "shop") { id: ID!  currency: String!  good: Good! }
    type Good @key(fields: "id") { id: ID!  price(currency: String @fromContext(field: "$shop { currency }")): Int }`
  const supergraphSdl = composeSupergraph([{ name: 'shops', sdl, url: 'http://shops' }])
  const gateway = new CivigraphGateway({ supergraphSdl, authorization: { policies: (policies) => policies } })
  onTestFinished(() => gateway.stop())
  const { schema } = await gateway.load()
  expect(schema.getQueryType()?.getFields()).toHaveProperty('secret')
})

it('reports a failed initial composition as IntrospectAndCompose does', async () => {
  const supergraphSdl = new IntrospectAndCompose({ subgraphs: [{ name: 'goods', url: 'http://127.0.0.1:1/graphql' }] })
  await expect(new CivigraphGateway({ supergraphSdl, logger: logged().logger }).load()).rejects.toThrow(
    /Couldn't load service definitions for "goods"/,
  )
})
