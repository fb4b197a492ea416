import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'

/**
 * A market whose subgraphs require fields with arguments of one another: prices in a currency, the first comments. One subgraph has
 * only a non-resolvable key of a stall.
 */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@requires", "@external", "@interfaceObject"])'

export const marketSdl = {
  stock: `${link}
    type Query { fish: Fish  fishes: [Fish!]!  goods: [Goods!]!  stall: Stall  ghost: Ghost }
    type Subscription { sold: Fish! }
    interface Goods { id: ID!  price(currency: String!): Float }
    interface Ghost @key(fields: "id") { id: ID! }
    type Fish implements Goods @key(fields: "id") { id: ID!  name: String!  owner: ID!  price(currency: String!): Float  comments(limit: Int = 9): [Comment!]!  size: Size!  echo(text: String!): String! }
    type Size { width(unit: String!): Int!  weight: Int! }
    type Comment { text: String! }
    type Stall @key(fields: "number", resolvable: false) @key(fields: "name") { number: Int!  name: String! }`,
  tax: `${link}
    type Fish @key(fields: "id") {
      id: ID!
      name: String! @external
      price(currency: String!): Float @external
      comments(limit: Int = 9): [Comment!]! @external
      size: Size! @external
      label: String! @requires(fields: "name")
      dear: Boolean! @requires(fields: "price(currency: \\"USD\\")")
      tax: Float @requires(fields: "price(currency: \\"EUR\\")")
      taxOf(rate: Float!): Float @requires(fields: "price(currency: \\"EUR\\")")
      voices: String! @requires(fields: "comments(limit: 3) { text }")
      loud: String! @requires(fields: "comments { text }")
      fits: String! @requires(fields: "size { width(unit: \\"cm\\") weight }")
      plain: Int!
      soldAt: Stall!
    }
    type Stall @key(fields: "name", resolvable: false) { name: String! }
    type Query { shade: Ghost }
    type Ghost @key(fields: "id", resolvable: false) @interfaceObject { id: ID!  colour: String }
    type Size { width(unit: String!): Int! @external  weight: Int! @external }
    type Comment { text: String! @external }`,
  stalls: `${link}
    type Stall @key(fields: "name") @key(fields: "number") { number: Int!  name: String!  open: Boolean! }`,
} as const

interface Representation {
  readonly id: string
  readonly name?: string
  readonly price?: number | null
  readonly comments?: readonly { readonly text: string }[]
  readonly size?: { readonly width: number; readonly weight: number }
}

const fish = (id: string) => ({ __typename: 'Fish', id, name: `fish ${id}`, owner: `owner of ${id}`, price: Number(id) })
const resolvers: Readonly<Record<keyof typeof marketSdl, object>> = {
  stock: {
    Query: {
      fish: () => fish('1'),
      fishes: () => [fish('1'), fish('2'), fish('0')],
      goods: () => [fish('1')],
      stall: () => ({ number: 7, name: 'Seven' }),
      ghost: () => ({ id: 'g1' }),
    },
    Subscription: {
      sold: {
        subscribe: async function* () {
          yield { sold: fish('1') }
          yield { sold: fish('2') }
        },
      },
    },
    Fish: {
      __resolveReference: ({ id }: Representation) => fish(id),
      price: ({ price }: { price: number }, { currency }: { currency: string }) =>
        price === 0 ? null : price * (currency === 'EUR' ? 10 : 100),
      comments: (_: unknown, { limit }: { limit: number }) => Array.from({ length: limit }, (_, n) => ({ text: `c${n}` })),
      size: () => ({}),
      echo: (_: unknown, { text }: { text: string }) => text,
    },
    Size: { width: (_: unknown, { unit }: { unit: string }) => (unit === 'cm' ? 40 : 400), weight: () => 3 },
    Stall: { __resolveReference: ({ name }: { name?: string }) => (name === undefined ? null : { number: 7, name }) },
  },
  tax: {
    Query: { shade: () => ({ id: 'g1', colour: 'grey' }) },
    Fish: {
      __resolveReference: (representation: Representation) => ({ ...representation }),
      label: ({ name }: Representation) => `a ${name}`,
      dear: ({ price }: Representation) => Number(price) > 100,
      tax: ({ price }: Representation) => (price === undefined ? -1 : price === null ? null : price / 10),
      taxOf: ({ price }: Representation, { rate }: { rate: number }) => Number(price) * rate,
      voices: ({ comments = [] }: Representation) => comments.map(({ text }) => text).join(' '),
      loud: ({ comments = [] }: Representation) => String(comments.length),
      fits: ({ size }: Representation) => `${size?.width} ${size?.weight}`,
      plain: () => 5,
      soldAt: () => ({ name: 'Seven' }),
    },
  },
  stalls: {
    Stall: { __resolveReference: (key: { number?: number; name?: string }) => ({ number: 7, name: 'Seven', ...key, open: true }) },
  },
}

export const marketSchemas = (): Readonly<Record<keyof typeof marketSdl, GraphQLSchema>> => {
  const build = (name: keyof typeof marketSdl) =>
    buildSubgraphSchema([{ typeDefs: parse(marketSdl[name]), resolvers: resolvers[name] as never }])
  return { stock: build('stock'), tax: build('tax'), stalls: build('stalls') }
}
