import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'

const hints = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@authenticated", "@composeDirective"])
    @link(url: "https://example.test/cacheControl/v1.0", import: ["@cacheControl"])
    @composeDirective(name: "@cacheControl")
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
  enum CacheControlScope { PUBLIC PRIVATE }`

/** A shop of two subgraphs with cache hints on their fields. */
export const shopSdl = {
  goods: `${hints}
    type Query { goods(first: Int = 3): [Good!]! @cacheControl(maxAge: 300)  good(id: ID!): Good  today: String @cacheControl(maxAge: 30)  now: String  things: [Thing!] @cacheControl(maxAge: 300)  me: Good @cacheControl(maxAge: 60, scope: PRIVATE)  clerk: Clerk }
    type Mutation { order: Good }
    union Thing = Good | Shelf
    type Good @key(fields: "id") @cacheControl(maxAge: 120) { id: ID!  name: String!  secret: String @authenticated  shelf: Shelf  maker: Maker @cacheControl(inheritMaxAge: true) }
    type Shelf { row: Int @cacheControl(maxAge: 10) }
    type Maker { name: String }
    type Clerk @cacheControl(maxAge: 50) { name: String }`,
  prices: `${hints}
    type Good @key(fields: "id") @cacheControl(maxAge: 120) { id: ID!  price: Int @cacheControl(maxAge: 60)  discount: Int @cacheControl(maxAge: 60, scope: PRIVATE)  stock: Int @cacheControl(maxAge: 0)  broken: Int }`,
}
export type ShopName = keyof typeof shopSdl

export interface Shop {
  readonly schemas: Readonly<Record<ShopName, GraphQLSchema>>
  /** Ids that prices received, one list per request. */
  readonly asked: string[][]
  /** Added to each price. */
  raise: number
  /** Resolvers of prices wait for this. */
  wait: Promise<void>
}

const goodOf = (id: string) => ({
  __typename: 'Good',
  id,
  name: `Good ${id}`,
  secret: 'hidden',
  shelf: { row: 1 },
  maker: { name: 'Maker' },
})

export function shop(): Shop {
  const made = { asked: [] as string[][], raise: 0, wait: Promise.resolve() }
  let batch: string[] | undefined
  const noted = (id: string): void => {
    if (batch === undefined) {
      batch = []
      made.asked.push(batch)
      queueMicrotask(() => {
        batch = undefined
      })
    }
    batch.push(id)
  }
  const build = (name: ShopName, resolvers: object): GraphQLSchema =>
    buildSubgraphSchema([{ typeDefs: parse(shopSdl[name]), resolvers: resolvers as never }])
  const goods = build('goods', {
    Query: {
      goods: (_: unknown, { first }: { first: number }) => Array.from({ length: first }, (__, index) => goodOf(String(index + 1))),
      good: (_: unknown, { id }: { id: string }) => goodOf(id),
      today: () => 'Monday',
      now: () => 'noon',
      things: () => [goodOf('1')],
      me: () => goodOf('1'),
      clerk: () => ({ name: 'Clerk' }),
    },
    Mutation: { order: () => goodOf('1') },
    Good: { __resolveReference: ({ id }: { id: string }) => goodOf(id) },
  })
  const prices = build('prices', {
    Good: {
      __resolveReference: ({ id }: { id: string }) => {
        noted(id)
        return id === '404' ? null : { id }
      },
      price: async ({ id }: { id: string }) => {
        await made.wait
        return Number(id) * 100 + made.raise
      },
      discount: () => 5,
      stock: () => 1,
      broken: ({ id }: { id: string }) => {
        if (id === '2') throw new Error('no price of it')
        return 1
      },
    },
  })
  return Object.assign(made, { schemas: { goods, prices } })
}
