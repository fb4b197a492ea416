import { buildSubgraphSchema } from '@apollo/subgraph'
import { buildSchema, type ExecutionResult, execute, type GraphQLSchema, isObjectType, parse, printSchema } from 'graphql'

/**
 * A fleet whose vehicles are an interface in `fleet` and `papers`, and an `@interfaceObject` in `prices` and `risks`.
 * The subgraphs require fields of each other, with arguments, of one type only, and at several paths.
 */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@shareable", "@interfaceObject", "@context", "@fromContext"])'

export const fleetSdl = {
  fleet: `${link}
    type Query { vehicles: [Vehicle!]!  vehicle(id: ID!): Vehicle  mixed: [Mixed!]!  depots: [Depot!]!  depot(id: ID!): Depot }
    type Subscription { moved: Vehicle! }
    interface Vehicle @key(fields: "id") { id: ID!  cost(currency: String = "USD"): Int  depot: Depot }
    type Car implements Vehicle @key(fields: "id") { id: ID!  cost(currency: String = "USD"): Int  depot: Depot  seats: Int!  tows: Vehicle }
    type Boat implements Vehicle @key(fields: "id") { id: ID!  cost(currency: String = "USD"): Int  depot: Depot  draught(unit: String = "m"): Int! }
    union Mixed = Car | Boat | Depot
    type Depot @key(fields: "id") @context(name: "depot") { id: ID!  city: String!  vehicles: [Vehicle!]!  first: Vehicle  bays: [Bay!]! }
    type Bay @key(fields: "number") { number: Int!  sign(city: String @fromContext(field: "$depot { city }")): String }`,
  prices: `${link}
    type Vehicle @key(fields: "id") @interfaceObject {
      id: ID!
      cost(currency: String = "USD"): Int @external
      inEuro: String @requires(fields: "cost(currency: \\"EUR\\")")
      inPound: String @requires(fields: "cost(currency: \\"GBP\\")")
      risk: Int
    }
    type Depot @key(fields: "id") { id: ID!  city: String! @external  first: Vehicle @external  label: String @requires(fields: "city")  firstInEuro: String @requires(fields: "first { cost(currency: \\"EUR\\") }") }`,
  risks: `${link}
    type Vehicle @key(fields: "id") @interfaceObject { id: ID!  risk: Int @external  depot: Depot @external  premium: String @requires(fields: "risk")  town: String @requires(fields: "depot { city }") }
    type Depot @key(fields: "id") { id: ID!  city: String! @external }`,
  papers: `${link}
    interface Vehicle @key(fields: "id") { id: ID!  note: String  policy: String }
    type Car implements Vehicle @key(fields: "id") {
      id: ID!
      note: String
      premium: String @external
      policy: String @requires(fields: "premium")
      seats: Int! @external
      plate: String @requires(fields: "seats")
      tows: Vehicle @external
      trailer: String @requires(fields: "tows { id ... on Boat { draught(unit: \\"cm\\") } ... on Car { seats } }")
    }
    type Boat implements Vehicle @key(fields: "id") { id: ID!  note: String  premium: String @external  policy: String @requires(fields: "premium")  draught(unit: String = "m"): Int! @external  plate: String @requires(fields: "draught(unit: \\"mm\\")") }`,
} as const

type Id = { readonly id: string }
type Representation = Readonly<Record<string, unknown>> & Id

const base: Readonly<Record<string, number>> = { c1: 10, c2: 20, b1: 30 }
const rates: Readonly<Record<string, number>> = { USD: 1, EUR: 2, GBP: 3, m: 1, cm: 100, mm: 1000 }
const cities: Readonly<Record<string, string>> = { d1: 'Dakar', d2: 'Thiès' }
const homes: Readonly<Record<string, string | undefined>> = { c1: 'd1', b1: 'd2' }
const parked: Readonly<Record<string, readonly string[]>> = { d1: ['c1', 'b1'], d2: ['c2'] }

const depot = (id: string | undefined) =>
  id === undefined || cities[id] === undefined ? null : { __typename: 'Depot', id, city: cities[id] }
const vehicle = (id: string | undefined) => {
  if (id === undefined || base[id] === undefined) return null
  return id.startsWith('c') ? { __typename: 'Car', id, seats: id === 'c1' ? 4 : 2 } : { __typename: 'Boat', id }
}
const costOf = (id: string, currency: string): number => (base[id] ?? 0) * (rates[currency] ?? 0)
const riskOf = (id: string): number => Number(id.slice(1))

/** The expected values by type and field, whichever subgraph resolves them; other fields are members of their objects. */
type ExpectedResolvers = Readonly<Record<string, (from: Representation, args: Readonly<Record<string, string>>) => unknown>>
const roots: ExpectedResolvers = {
  vehicles: () => ['c1', 'c2', 'b1'].map(vehicle),
  vehicle: (_, { id }) => vehicle(id),
  mixed: () => [vehicle('c1'), depot('d1'), vehicle('b1')],
  depots: () => ['d1', 'd2'].map(depot),
  depot: (_, { id }) => depot(id),
}
const ofVehicles: ExpectedResolvers = {
  cost: ({ id }, { currency = '' }) => costOf(id, currency),
  depot: ({ id }) => depot(homes[id]),
  inEuro: ({ id }) => `€${costOf(id, 'EUR')}`,
  inPound: ({ id }) => `£${costOf(id, 'GBP')}`,
  risk: ({ id }) => riskOf(id),
  premium: ({ id }) => `premium ${riskOf(id)}`,
  town: ({ id }) => `in ${cities[homes[id] ?? ''] ?? null}`,
  note: ({ id }) => `note ${id}`,
  policy: ({ id }) => `policy of premium ${riskOf(id)}`,
  tows: ({ id }) => vehicle(id === 'c1' ? 'b1' : 'c1'),
  trailer: ({ id }) => (id === 'c1' ? 'b1 300' : 'c1 4'),
  draught: (_, { unit = '' }) => 3 * (rates[unit] ?? 0),
  plate: ({ id, seats }) => (id.startsWith('c') ? `${seats} seats` : '3000 mm'),
}
const truth: Readonly<Record<string, ExpectedResolvers>> = {
  Query: roots,
  Car: ofVehicles,
  Boat: ofVehicles,
  Depot: {
    vehicles: ({ id }) => (parked[id] ?? []).map(vehicle),
    first: ({ id }) => vehicle(parked[id]?.[0]),
    bays: ({ id }) => [1, 2].map((number) => ({ number, city: cities[id] })),
    label: ({ city }) => `depot of ${city}`,
    firstInEuro: ({ id }) => `€${costOf(parked[id]?.[0] ?? '', 'EUR')}`,
  },
  Bay: { sign: ({ number, city }) => `${number} ${city}` },
}

const resolvedBy = <Entity>(find: (id: string) => Entity) => ({ __resolveReference: ({ id }: Id) => find(id) })
const resolvedFromReference = { __resolveReference: (representation: Representation) => ({ ...representation }) }
const { cost, depot: home, tows, draught, risk, note } = ofVehicles
const { vehicles, first } = truth.Depot ?? {}
const resolvers: Readonly<Record<keyof typeof fleetSdl, object>> = {
  fleet: {
    Query: roots,
    Subscription: {
      moved: {
        subscribe: async function* () {
          for (const id of ['c1', 'b1']) yield { moved: vehicle(id) }
        },
      },
    },
    Vehicle: resolvedBy(vehicle),
    Car: { ...resolvedBy(vehicle), cost, depot: home, tows },
    Boat: { ...resolvedBy(vehicle), cost, depot: home, draught },
    Depot: { ...resolvedBy(depot), vehicles, first, bays: () => [{ number: 1 }, { number: 2 }] },
    Bay: { ...resolvedFromReference, sign: ({ number }: { number: number }, { city }: { city: string }) => `${number} ${city}` },
  },
  prices: {
    Vehicle: {
      ...resolvedFromReference,
      risk,
      inEuro: (representation: Representation) => `€${representation.cost}`,
      inPound: (representation: Representation) => `£${representation.cost}`,
    },
    Depot: {
      ...resolvedFromReference,
      label: ({ city }: Representation) => `depot of ${city}`,
      firstInEuro: ({ first }: { first: { cost: number } }) => `€${first.cost}`,
    },
  },
  risks: {
    Vehicle: {
      ...resolvedFromReference,
      premium: (representation: Representation) => `premium ${representation.risk}`,
      town: ({ depot }: { depot: { city: string } | null }) => `in ${depot?.city ?? null}`,
    },
    Depot: resolvedFromReference,
  },
  papers: {
    // a reference to a vehicle by its interface resolves the whole vehicle
    Vehicle: { __resolveReference: ({ id }: Id) => ({ __typename: id.startsWith('c') ? 'Car' : 'Boat', id }) },
    Car: {
      ...resolvedFromReference,
      note,
      policy: ({ premium }: Representation) => `policy of ${premium}`,
      plate: ({ seats }: Representation) => `${seats} seats`,
      trailer: ({ tows }: { tows: Representation }) => `${tows.id} ${tows.draught ?? tows.seats}`,
    },
    Boat: {
      ...resolvedFromReference,
      note,
      policy: ({ premium }: Representation) => `policy of ${premium}`,
      plate: (representation: Representation) => `${representation.draught} mm`,
    },
  },
}

export const fleetSchemas = (): Readonly<Record<keyof typeof fleetSdl, GraphQLSchema>> => {
  const build = (name: keyof typeof fleetSdl) =>
    buildSubgraphSchema([{ typeDefs: parse(fleetSdl[name]), resolvers: resolvers[name] as never }])
  return { fleet: build('fleet'), prices: build('prices'), risks: build('risks'), papers: build('papers') }
}

/** Executes an operation on one schema with all data, as the reference. @param apiSchema - the client schema of the fleet */
export function asOneGraph(apiSchema: GraphQLSchema): (text: string, variables: Record<string, unknown>) => Promise<ExecutionResult> {
  const schema = buildSchema(printSchema(apiSchema))
  return async (text, variables) =>
    execute({
      schema,
      document: parse(text),
      variableValues: variables,
      typeResolver: ({ __typename }: { __typename: string }) => __typename,
      fieldResolver: (from: Representation | undefined, args, _, { parentType, fieldName }) => {
        const resolve = isObjectType(parentType) ? truth[parentType.name]?.[fieldName] : undefined
        return resolve === undefined ? from?.[fieldName] : resolve(from ?? { id: '' }, args)
      },
    })
}
