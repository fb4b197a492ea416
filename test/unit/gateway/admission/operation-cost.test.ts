import { getIntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createExecutor } from '../../../../gateway/executor/executor.ts'
import { withinCost } from '../../../../gateway/pipeline/cost-limit.ts'
import type { SubgraphSource } from '../../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../../gateway/supergraph/supergraph.ts'
import { contextFor, recordedLog } from '../../../support/gateway/town.ts'

const { log } = recordedLog()
const linked = (imports: string): string => `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${imports}])`
const shop = `
  type Query {
    plain: String
    dear: Int @cost(weight: 7)
    coin: Coin
    goods(first: Int, last: Int): [Goods!]! @listSize(slicingArguments: ["first", "last"])
    some(first: Int, last: Int): [Goods!]! @listSize(slicingArguments: ["first", "last"], assumedSize: 4, requireOneSlicingArgument: false)
    assumed: [Goods!]! @listSize(assumedSize: 3)
    usual: [Goods!]!
    called(first: Int): [Goods!]!
    page(first: Int = 6, by: Order): Page! @listSize(slicingArguments: ["first"], sizedFields: ["edges"])
    pages(first: Int = 20): Pages!
    ordered(by: Order!): [Goods!]! @listSize(assumedSize: 77)
    things: [Thing!]! @listSize(assumedSize: 2)
    ids: [Coin!]! @listSize(assumedSize: 5)
  }
  type Mutation { put(goods: [GoodsInput!]!, note: String @cost(weight: 20)): Int }
  type Page { edges: [Edge!]!  others: [Goods!]!  total: Int }
  type Pages { edges: [Goods!]! }
  type Edge { node: Goods! }
  type Goods implements Thing { id: ID!  proof: String @cost(weight: 3) }
  type Heavy implements Thing @cost(weight: 9) { id: ID!  proof: String @cost(weight: 30) }
  interface Thing { id: ID!  proof: String }
  scalar Coin @cost(weight: 2)
  input Order { size: Int  deep: Order }
  input GoodsInput { id: ID!  image: String @cost(weight: 11)  parts: [GoodsInput!] }`

const source: SubgraphSource = {
  fetch: () => ({ data: {} }),
  stream: async () => ({ errors: [] }),
  stop: async () => undefined,
}
const executorOf = (supergraph: string) => createExecutor({ supergraph, sources: { shop: source }, eventTimeoutMs: 1000 })
// the composition library does not support dots in these arguments, the specification does
const supergraph = composeSupergraph([{ name: 'shop', sdl: linked('"@cost", "@listSize"') + shop, url: 'http://shop' }]).replace(
  '@listSize(assumedSize: 77)',
  '@listSize(slicingArguments: ["by.size"])',
)

/** Returns the estimated cost of an operation, or the message and code of its refusal. */
async function estimated(query: string, variables = {}, max = 1000, file = supergraph): Promise<unknown> {
  const limited = withinCost(executorOf(file), max)
  using context = contextFor(log)
  limited.report(context)
  const { extensions, errors = [] } = await limited.execute(limited.prepare(query), variables, context)
  const [refusal] = errors
  return extensions?.cost ?? [refusal?.extensions.code, refusal?.message, refusal?.extensions.cost]
}
const cost = async (query: string, variables = {}, file = supergraph) => {
  const estimate = await estimated(query, variables, 1000, file)
  return typeof estimate === 'object' && estimate !== null && 'estimated' in estimate ? estimate.estimated : estimate
}

describe('the cost of an operation', () => {
  it.each<[string, number, string, object?]>([
    ['a field', 1, '{ plain }'],
    ['a field with a weight', 7, '{ dear }'],
    ['a type with a weight', 3, '{ coin }'],
    ['a list of scalars with a weight', 1 + 5 * 2, '{ ids }'],
    ['a list by its slicing argument', 1 + 2 * 4, '{ goods(first: 2) { id proof } }'],
    ['a list by another one', 1 + 5, '{ goods(last: 5) { id } }'],
    ['a list by a variable', 1 + 8, 'query ($n: Int) { goods(first: $n) { id } }', { n: 8 }],
    ['a list by the default of a variable', 1 + 9, 'query ($n: Int = 9) { goods(first: $n) { id } }'],
    ['a list by the larger of two', 1 + 6, '{ some(first: 6, last: 2) { id } }'],
    ['a list of an invalid length', 1 + 10, '{ goods(first: -1) { id } }'],
    ['a list of an invalid length, with an assumed size', 1 + 4, '{ some(last: -5) { id } }'],
    ['a list of null length, by a slicing argument of the same name', 1 + 10, '{ called(first: null) { id } }'],
    ['pages whose length is null', 1 + 20 * 2, '{ pages(first: null) { edges { id } } }'],
    ['pages whose length is a null variable', 1 + 20 * 2, 'query ($n: Int) { pages(first: $n) { edges { id } } }', { n: null }],
    ['a list of an invalid length, by a slicing argument of the same name', 1 + 10, '{ called(first: -1) { id } }'],
    ['a list of an assumed size', 1 + 4, '{ some { id } }'],
    ['a list without arguments of an assumed size', 1 + 3, '{ assumed { id } }'],
    ['a list without a directive', 1 + 10, '{ usual { id } }'],
    ['sized fields, by the default of an argument', 1 + (1 + 6 * (1 + 1)) + 1, '{ page { edges { node { id } } total } }'],
    ['sized fields, and others', 1 + (1 + 2 * (1 + 1)) + (1 + 10), '{ page(first: 2) { edges { node { id } } others { id } } }'],
    ['a slicing argument within an input object', 1 + 7, '{ ordered(by: { size: 7 }) { id } }'],
    ['a slicing argument within a variable', 1 + 7, 'query ($by: Order!) { ordered(by: $by) { id } }', { by: { size: 7 } }],
    ['a field of an interface by its most expensive implementation', 1 + 2 * 30, '{ things { proof } }'],
    ['fields in fragments', 1 + 2 * (1 + 3), '{ things { ...T } } fragment T on Thing { id ... on Goods { proof } }'],
    ['arguments', 1 + 20 + 11 + 11, 'mutation { put(note: "n", goods: [{ id: 1, image: "i", parts: [{ id: 2, image: "j" }] }]) }'],
    [
      'arguments by variables',
      1 + 11 + 11,
      'mutation ($g: [GoodsInput!]!) { put(goods: $g) }',
      {
        g: [
          { id: 1, image: 'i' },
          { id: 2, image: 'j' },
        ],
      },
    ],
  ])('is counted: %s', async (_, expected, query, variables = {}) => {
    expect(await cost(query, variables)).toBe(expected)
  })

  it('above the limit is refused with the estimate', async () => {
    expect(await estimated('{ goods(first: 600) { id proof } }')).toEqual([
      'LIMIT_EXCEEDED',
      'The estimated cost is 2401, the limit 1000: request shorter lists, fewer fields or fewer costly fields (@cost)',
      { estimated: 2401, max: 1000 },
    ])
    expect(await estimated('{ goods(first: 1000000000) { id } }')).toMatchObject(['LIMIT_EXCEEDED', {}, { estimated: 1_000_000_001 }])
  })

  it('of deeply nested variables is refused without a stack overflow', async () => {
    let deep: unknown[] = []
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep]
    expect(await estimated('mutation ($g: [GoodsInput!]!) { put(goods: $g) }', { g: deep })).toMatchObject([
      'LIMIT_EXCEEDED',
      {},
      undefined,
    ])
  })

  it('cannot be estimated for a list that requires one slicing argument and has none or two', async () => {
    const refusal = ['BAD_REQUEST', 'Query.goods must be given exactly one of first, last', undefined]
    for (const query of ['{ goods { id } }', '{ goods(first: 1, last: 1) { id } }', '{ goods(first: null) { id } }'])
      expect(await estimated(query), query).toEqual(refusal)
    expect(await estimated('query ($n: Int) { goods(first: $n) { id } }')).toEqual(refusal)
  })

  it('of a null variable is refused for the variable, not for its list', async () => {
    expect(await estimated('query ($n: Int!) { goods(first: $n) { id } }', { n: null })).toMatchObject(['BAD_USER_INPUT', {}, undefined])
    expect(await estimated('query ($n: Int!) { goods(first: $n) { id } }')).toMatchObject(['BAD_USER_INPUT', {}, undefined])
  })

  it('is never negative: no field offsets another, whatever the length of its list', async () => {
    const cheaper = supergraph
      .replace('@cost(weight: 3)', '@cost(weight: -3)')
      .replace('@cost(weight: 9)', '@cost(weight: -9)')
      .replace('@cost(weight: 2)', '@cost(weight: -2)')
    expect(await cost('{ goods(first: 900) { proof } dear }', {}, cheaper)).toBe(1 + 7)
    expect(await cost('{ goods(first: 3) { id proof } dear }', {}, cheaper)).toBe(1 + 3 + 7)
    expect(await cost('{ ids dear }', {}, cheaper)).toBe(1 + 7)
  })

  it('admits one introspection of the whole schema, and refuses repeated ones', async () => {
    const introspection = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true })
    expect(await estimated(introspection, {}, 10_001)).toMatchObject({ max: 10_001 })
    expect(await cost('{ __typename __type(name: "Goods") { name fields { name type { name } } } }')).toBeLessThan(40)
    const again = Array.from({ length: 40 }, (_, index) => `a${index}: fields { type { ofType { fields { name description } } } }`)
    const estimate = await estimated(`{ __schema { types { ${again.join(' ')} } } }`, {}, 10_001)
    expect(estimate).toMatchObject(['LIMIT_EXCEEDED', {}, { max: 10_001 }])
  })

  it.each([
    ['the types of the schema', '__schema', 'types { name fields { name args { name } } }'],
    ['a chosen type', '__type(name: "Thing")', 'possibleTypes { name fields { name description type { name kind } } }'],
    ['the fields of a root type', '__schema', 'queryType { fields { name description args { name } type { name kind ofType { name } } } }'],
  ])('refuses an operation that reads %s eighty times', async (_, root, selection) => {
    const again = Array.from({ length: 80 }, (_, index) => selection.replace(/^/, `a${index}: `))
    expect(await estimated(`{ ${root} { ${again.join(' ')} } }`, {}, 10_000)).toMatchObject(['LIMIT_EXCEEDED', {}, { max: 10_000 }])
    expect(await estimated(`{ ${root} { ${selection} } }`, {}, 10_000)).toMatchObject({ max: 10_000 })
  })

  it('limits the length of a list to the maximum of the graph', async () => {
    const limited = withinCost(executorOf(supergraph), 10, { longest: 8 })
    using context = contextFor(log)
    limited.report(context)
    const operation = limited.prepare('query ($n: Int) { goods(first: $n) { id } }')
    expect((await limited.execute(operation, { n: 100 }, context)).extensions?.cost).toEqual({ estimated: 9, max: 10 })
  })

  it('is returned only on request', async () => {
    const limited = withinCost(executorOf(supergraph), 10)
    using context = contextFor(log)
    expect((await limited.execute(limited.prepare('{ plain }'), {}, context)).extensions).toBeUndefined()
  })

  it('lets operations that are not small begin one at a time, by address in turn', async () => {
    const limited = withinCost(executorOf(supergraph), 1000)
    const ended: string[] = []
    const send = async (address: string, query: string): Promise<void> => {
      using context = contextFor(log)
      await limited.execute(limited.prepare(query), {}, { ...context, address })
      ended.push(address)
    }
    const large = '{ goods(first: 60) { id } }'
    const flood = Array.from({ length: 50 }, () => send('192.0.2.1', large))
    const other = send('192.0.2.2', large)
    const small = send('192.0.2.3', '{ plain }')
    await Promise.all([...flood, other, small])
    expect(ended.indexOf('192.0.2.2')).toBeLessThan(5)
    expect(ended.indexOf('192.0.2.3')).toBeLessThan(3)
  })

  it('follows renamed directives, and weights that are strings', async () => {
    const renamed = composeSupergraph([
      { name: 'shop', sdl: linked('{ name: "@cost", as: "@dues" }, "@listSize"') + shop.replaceAll('@cost', '@dues'), url: 'http://shop' },
    ])
    expect(await cost('{ dear }', {}, renamed)).toBe(7)
    const texts = supergraph.replace('weight: Int!', 'weight: String!').replaceAll(/@cost\(weight: (\d+)\)/g, '@cost(weight: "$1.5")')
    expect(await cost('{ dear }', {}, texts)).toBe(7.5)
  })
})

describe('a supergraph with invalid cost directives', () => {
  it.each([
    ['@cost(weight: 7)', '@cost(weight: true)', /@cost of Query.dear must have a weight/],
    ['@cost(weight: 7)', '@cost(weight: "much")', /@cost of Query.dear must have a weight/],
    ['@cost(weight: 9)', '@cost', /@cost of Heavy must have a weight/],
    ['@listSize(assumedSize: 3)', '@listSize(assumedSize: "3")', /@listSize of Query.assumed .*assumedSize must be a whole number/],
    ['@listSize(assumedSize: 3)', '@listSize(assumedSize: -3)', /assumedSize must be a whole number/],
    ['@listSize(assumedSize: 3)', '@listSize(slicingArguments: 5)', /slicingArguments must be a list of names/],
    ['@listSize(assumedSize: 3)', '@listSize(slicingArguments: ["first"])', /slicing argument first that the field does not/],
    ['@listSize(assumedSize: 3)', '@listSize(assumedSize: 3, sizedFields: ["edges"])', /sized field edges that is not a field/],
    ['@listSize(assumedSize: 3)', '@listSize(requireOneSlicingArgument: "no")', /requireOneSlicingArgument must be true or false/],
  ])('is refused with a message: %s as %s', (right, wrong, sentence) => {
    expect(supergraph).toContain(right)
    expect(() => executorOf(supergraph.replace(right, wrong))).toThrow(sentence)
  })
})
