import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'

/** Trips whose days, hotels and meals depend on their context: its currency, its mood, the region of all. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@shareable", "@context", "@fromContext"])'

export const tripsSdl = {
  trips: `${link}
    type Query @context(name: "all") { region: String!  season: Season!  trips: [Trip!]!  either: [Either!]!  journeys: [Journey!]! }
    type Subscription { left: Trip! }
    interface Journey { id: ID!  days: [Day!]! }
    union Either = Trip | Tour
    type Trip implements Journey @key(fields: "id") @context(name: "journey") { id: ID!  payment: Payment  days: [Day!]!  weeks: [[Day!]!]!  note: String }
    type Tour implements Journey @key(fields: "id") @context(name: "journey") { id: ID!  payment: Payment  days: [Day!]! }
    type Payment { currency: String! }
    type Day @key(fields: "id") {
      id: ID!
      price(units: Int = 1, currency: String @fromContext(field: "$journey { payment { currency } }")): String!
    }
    type Season @key(fields: "id") { id: ID!  name(region: String @fromContext(field: "$all { region }"), year: Int): String }`,
  hotels: `${link}
    type Trip @key(fields: "id") @context(name: "stay") { id: ID!  mood: String!  code: String @external  hotel: Hotel! }
    type Hotel @key(fields: "id") { id: ID!  greeting(mood: String @fromContext(field: "$stay { mood }"), code: String @fromContext(field: "$stay { code }")): String! }`,
  codes: `${link}
    type Trip @key(fields: "id") { id: ID!  code: String }`,
} as const

type Id = { readonly id: string }
const days = (id: string) => [{ id: `${id}1` }, { id: `${id}2` }]
const trip = (id: string, currency?: string) => ({
  __typename: 'Trip',
  id,
  note: `note ${id}`,
  payment: currency === undefined ? null : { currency },
  days: days(id),
  weeks: [days(id), [{ id: `${id}3` }]],
})

const resolvers: Readonly<Record<keyof typeof tripsSdl, object>> = {
  trips: {
    Query: {
      region: () => 'north',
      season: () => ({ id: 's1' }),
      trips: () => [trip('a', 'EUR'), trip('b', 'USD'), trip('c', 'EUR'), trip('d')],
      either: () => [trip('a', 'EUR'), { ...trip('t', 'CHF'), __typename: 'Tour' }],
      journeys: () => [],
    },
    Subscription: {
      left: {
        subscribe: async function* () {
          yield { left: trip('a', 'EUR') }
          yield { left: trip('b', 'USD') }
        },
      },
    },
    Day: {
      __resolveReference: ({ id }: Id) => ({ id }),
      price: ({ id }: Id, { units, currency }: { units: number; currency: string | null }) => `${units} ${currency} on ${id}`,
    },
    Season: {
      __resolveReference: ({ id }: Id) => ({ id }),
      name: (_: unknown, { region, year }: { region: string; year: number }) => `summer ${year} in the ${region}`,
    },
  },
  hotels: {
    Trip: { __resolveReference: ({ id }: Id) => ({ id, mood: `mood ${id}`, hotel: { id: `h${id}` } }) },
    Hotel: {
      __resolveReference: ({ id }: Id) => ({ id }),
      greeting: ({ id }: Id, { mood, code }: { mood: string; code: string }) => `${id}: ${mood}, ${code}`,
    },
  },
  codes: { Trip: { __resolveReference: ({ id }: Id) => ({ id, code: `code ${id}` }) } },
}

export const tripsSchemas = (): Readonly<Record<keyof typeof tripsSdl, GraphQLSchema>> => {
  const build = (name: keyof typeof tripsSdl) =>
    buildSubgraphSchema([{ typeDefs: parse(tripsSdl[name]), resolvers: resolvers[name] as never }])
  return { trips: build('trips'), hotels: build('hotels'), codes: build('codes') }
}
