import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'

/**
 * A harbour of four subgraphs that use all of federation: interfaces (one with @key, one an @interfaceObject
 * elsewhere), unions, several @keys, @requires, @provides, @shareable, @inaccessible, @override, value types that two subgraphs share.
 */
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@inaccessible", "@override", "@interfaceObject"])
  type Position @shareable { latitude: Float!  longitude: Float! }`

export const harbourSdl = {
  fleet: `${link}
    interface Vessel @key(fields: "id") { id: ID!  name: String!  flag: String }
    type Ferry implements Vessel @key(fields: "id") { id: ID!  name: String!  flag: String  seats: Int!  decks: [[Int!]!]! }
    type Barge implements Vessel @key(fields: "id") { id: ID!  name: String!  flag: String  tonnes: Float!  secret: String @inaccessible }
    type Crane @key(fields: "code") @key(fields: "port { code } number") { code: ID!  port: Port!  number: Int! }
    type Port @key(fields: "code") { code: ID! }
    union Asset = Ferry | Barge | Crane
    enum Level { LOW HIGH HIDDEN @inaccessible }
    scalar JSON
    type Query {
      vessel(id: ID!): Vessel  vessels(first: Int = 4): [Vessel!]!  assets: [Asset]!  barge: Barge!  level(wrong: Boolean = false): Level
      broken: Vessel  mixed: [Vessel]!  position: Position! @shareable  anything: JSON  wrongNumber: Int
    }
    type Mutation { rename(id: ID!, name: String!): Vessel  refit(id: ID!): Vessel }
    type Movement { seq: Int!  vessel: Vessel  to: Port!  asset: Asset  level: Level }
    type Subscription {
      vesselMoved(after: Int, lose: Boolean = false): Movement!
      fleetNews(times: Int = 2): [Asset]!
      tides: Position!
      faulty: Vessel!
    }`,
  ports: `${link}
    type Port @key(fields: "code") @key(fields: "name country") { code: ID!  name: String!  country: String!  berths: Int!  position: Position!  cranes: [Crane!]! }
    type Crane @key(fields: "code") { code: ID!  reach: Float!  operator: Person @provides(fields: "name") }
    type Vessel @interfaceObject @key(fields: "id") { id: ID!  homePort: Port  logbook(last: Int = 2): [Entry!]!  mustHave(fail: Boolean = false): String! }
    type Entry { text: String!  by: Person }
    type Person @key(fields: "id") { id: ID!  name: String! @external }
    type Query { port(code: ID!): Port  position: Position! @shareable }`,
  people: `${link}
    type Person @key(fields: "id") { id: ID!  name: String! @shareable  age: Int  friends: [Person]! }
    type Query { person(id: ID!): Person }`,
  statistics: `${link}
    type Port @key(fields: "code") { code: ID!  berths: Int! @external  name: String! @external  busy: Boolean! @requires(fields: "berths")  sign(loud: Boolean = false): String @requires(fields: "name") }
    type Barge @key(fields: "id") { id: ID!  tonnes: Float! @override(from: "fleet") }
    type Port2 @key(fields: "name country") { name: String!  country: String! }
    type Query { ports2: [Port2!]! @inaccessible }`,
}
export type HarbourName = keyof typeof harbourSdl

/** Requests that the harbour's subgraphs have received, and the movements that its feed stores. */
export interface HarbourLog {
  /** One entry per fetch of entities, by type. */
  readonly entityFetches: string[]
  /** One entry per started stream. */
  readonly streams: { readonly field: string; readonly after: unknown }[]
  readonly ended: string[]
  /** Adds a movement to the feed and notifies subscribers. */
  move(vessel: string): void
  /** `to` of the following movements. */
  port: string
}

type Entity = Record<string, unknown>
const ferry = (id: number): Entity => ({
  __typename: 'Ferry',
  id: `f${id}`,
  name: `Ferry ${id}`,
  flag: 'LU',
  seats: id * 10,
  decks: [[1, id], []],
})
const barge = (id: number): Entity => ({ __typename: 'Barge', id: `b${id}`, name: `Barge ${id}`, flag: null, secret: 'x' })
const crane = (id: number): Entity => ({ __typename: 'Crane', code: `c${id}`, port: { code: 'LU1' }, number: id })
const vesselOf = (id: string): Entity | null => {
  const number = Number(id.slice(1))
  return id.startsWith('f') ? ferry(number) : id.startsWith('b') ? barge(number) : null
}
const portOf = (code: string): Entity | null =>
  code === 'LOST'
    ? null
    : {
        code,
        name: `Port ${code}`,
        country: 'LU',
        berths: code.length,
        position: { latitude: 49.6, longitude: 6.1 },
        cranes: [1, 2].map(crane),
      }

export function harbour(): { readonly schemas: Readonly<Record<HarbourName, GraphQLSchema>>; readonly log: HarbourLog } {
  const movements: Entity[] = []
  const listeners = new Set<() => void>()
  const log: HarbourLog = {
    entityFetches: [],
    streams: [],
    ended: [],
    port: 'LU1',
    move(vessel) {
      movements.push({
        seq: movements.length + 1,
        vessel: vesselOf(vessel),
        to: { code: log.port },
        asset: vesselOf(vessel) ?? crane(1),
        level: 'HIGH',
      })
      for (const listener of listeners) listener()
    },
  }
  const fetched = <Value>(type: string, value: Value): Value => {
    log.entityFetches.push(type)
    return value
  }

  async function* moved(
    _: unknown,
    { after, lose }: { after?: number | null; lose: boolean },
    { signal }: RequestContext,
  ): AsyncGenerator<Entity> {
    log.streams.push({ field: 'vesselMoved', after })
    let next = after ?? movements.length
    try {
      while (!signal.aborted) {
        const movement = movements[next]
        if (movement !== undefined) {
          next += 1
          yield { vesselMoved: lose ? { ...movement, vessel: null } : movement }
          continue
        }
        await new Promise<void>((resolve) => {
          listeners.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    } finally {
      log.ended.push('vesselMoved')
    }
  }
  const resolvers: Record<HarbourName, object> = {
    fleet: {
      Query: {
        vessel: (_: unknown, { id }: { id: string }) => vesselOf(id),
        vessels: (_: unknown, { first }: { first: number }) =>
          Array.from({ length: first }, (__, index) => (index % 2 === 0 ? ferry(index + 1) : barge(index + 1))),
        assets: () => [ferry(1), null, barge(2), crane(3)],
        barge: () => barge(7),
        level: (_: unknown, { wrong }: { wrong: boolean }) => (wrong ? 'HIDDEN' : 'LOW'),
        broken: () => {
          throw new Error('the hull leaks')
        },
        mixed: () => [ferry(1), new Error('one of them sank'), null, barge(2)],
        position: () => ({ latitude: 1, longitude: 2 }),
        anything: () => ({ list: [1, 'two', null], nested: { deep: true } }),
        wrongNumber: () => null,
      },
      Mutation: {
        rename: (_: unknown, { id, name }: { id: string; name: string }) => ({ ...vesselOf(id), name }),
        refit: (_: unknown, { id }: { id: string }) => vesselOf(id),
      },
      Subscription: {
        vesselMoved: { subscribe: moved },
        fleetNews: {
          subscribe: async function* (_: unknown, { times }: { times: number }) {
            log.streams.push({ field: 'fleetNews', after: undefined })
            for (let time = 1; time <= times; time += 1) yield { fleetNews: [ferry(time), null, barge(time), crane(time)] }
          },
        },
        tides: {
          subscribe: async function* () {
            yield { tides: { latitude: 1, longitude: 1 } }
            yield { tides: null }
            yield { tides: { latitude: 2, longitude: 'not a number' } }
          },
        },
        faulty: {
          subscribe: async function* () {
            yield { faulty: ferry(1) }
            yield { faulty: new Error('a sensor failed') }
            yield { faulty: barge(2) }
          },
        },
      },
      Vessel: {
        __resolveType: ({ __typename }: Entity) => __typename,
        __resolveReference: ({ id }: { id: string }) => fetched('Vessel', vesselOf(id)),
      },
      Ferry: { __resolveReference: ({ id }: { id: string }) => fetched('Ferry', vesselOf(id)) },
      Barge: { __resolveReference: ({ id }: { id: string }) => fetched('Barge', vesselOf(id)), secret: () => 'x' },
      Crane: { __resolveReference: ({ code }: { code: string }) => crane(Number(code.slice(1))) },
    },
    ports: {
      Query: { port: (_: unknown, { code }: { code: string }) => portOf(code), position: () => ({ latitude: 1, longitude: 2 }) },
      Port: {
        __resolveReference: ({ code, name }: { code?: string; name?: string }) => fetched('Port', portOf(code ?? String(name).slice(5))),
      },
      Crane: {
        __resolveReference: ({ code }: { code: string }) => ({ code }),
        reach: ({ code }: { code: string }) => Number(code.slice(1)) + 0.5,
        operator: ({ code }: { code: string }) => (code === 'c1' ? { id: 'p1', name: 'Provided p1' } : null),
      },
      Vessel: {
        __resolveReference: ({ id }: { id: string }) => fetched('Vessel in ports', { id }),
        homePort: ({ id }: { id: string }) => (id.startsWith('f') ? { code: 'LU1', ...portOf('LU1') } : { ...portOf('BE22') }),
        logbook: ({ id }: { id: string }, { last }: { last: number }) =>
          Array.from({ length: last }, (_, index) => ({ text: `${id} ${index}`, by: { id: `p${index}` } })),
        mustHave: ({ id }: { id: string }, { fail }: { fail: boolean }) => {
          if (fail && id.startsWith('b')) throw new Error('no such thing on a barge')
          return `of ${id}`
        },
      },
    },
    people: {
      Query: {
        person: (_: unknown, { id }: { id: string }) => ({
          id,
          name: `Name of ${id}`,
          age: null,
          friends: [{ id: 'p8', name: 'Eight', friends: [] }, null],
        }),
      },
      Person: {
        __resolveReference: ({ id }: { id: string }) => (id === 'p1' ? null : { id, name: `Name of ${id}`, age: 40, friends: [] }),
      },
    },
    statistics: {
      Port: {
        __resolveReference: (reference: Entity) => ({ ...reference }),
        busy: ({ berths }: { berths: number }) => berths > 3,
        sign: ({ name }: { name: string }, { loud }: { loud: boolean }) => (loud ? name.toUpperCase() : name),
      },
      Barge: { __resolveReference: ({ id }: { id: string }) => ({ id }), tonnes: ({ id }: { id: string }) => Number(id.slice(1)) * 1.5 },
      Query: { ports2: () => [] },
    },
  }
  const build = (name: HarbourName) => buildSubgraphSchema([{ typeDefs: parse(harbourSdl[name]), resolvers: resolvers[name] as never }])
  return { schemas: { fleet: build('fleet'), ports: build('ports'), people: build('people'), statistics: build('statistics') }, log }
}

/** Operations over the harbour, from simple to unusual. */
export const corpus: readonly {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}[] = [
  { query: '{ __typename }' },
  { query: '{ vessel(id: "f1") { id name __typename } }' },
  { query: '{ vessel(id: "none") { id name homePort { name } } }' },
  { query: '{ vessels { id ... on Ferry { seats decks } ... on Barge { tonnes } homePort { name busy } } }' },
  { query: '{ a: vessels(first: 1) { n: name } b: vessels(first: 2) { n: flag kind: __typename } }' },
  {
    query:
      '{ assets { __typename ... on Vessel { name homePort { code sign(loud: true) } } ... on Crane { code number reach operator { id name } } } }',
  },
  { query: '{ assets { ... on Crane { port { name country berths busy } operator { name age } } } }' },
  {
    query:
      'query ($with: Boolean!, $without: Boolean = true) { vessel(id: "b2") { name @include(if: $with) flag @skip(if: $without) ... @include(if: $with) { homePort { busy } } } }',
    variables: { with: true },
  },
  {
    query:
      'query ($with: Boolean!, $without: Boolean = true) { vessel(id: "b2") { id name @include(if: $with) flag @skip(if: $without) ... @include(if: $with) { homePort { busy } } } }',
    variables: { with: false, without: false },
  },
  { query: 'query A { barge { id } } query B { barge { tonnes } }', operationName: 'B' },
  {
    query:
      '{ vessel(id: "f3") { ...V } } fragment V on Vessel { id ...N homePort { ...P } } fragment N on Vessel { name } fragment P on Port { code cranes { code reach } }',
  },
  { query: '{ vessel(id: "f3") { ... on Ferry { id homePort { code } } name ... on Ferry { seats homePort { name } } } }' },
  { query: '{ vessel(id: "f3") { logbook { text by { id name } } more: logbook(last: 1) { by { friends { name } age } } } }' },
  { query: '{ broken { name } vessel(id: "f1") { name } }' },
  { query: '{ mixed { id homePort { name } } }' },
  { query: '{ vessels { id mustHave(fail: true) } }' },
  { query: '{ vessel(id: "b2") { mustHave(fail: true) } }' },
  { query: '{ vessel(id: "f1") { mustHave(fail: true) homePort { busy } } }' },
  { query: '{ level ok: level(wrong: false) wrong: level(wrong: true) }' },
  { query: '{ position { latitude longitude } anything wrongNumber }' },
  { query: '{ person(id: "p2") { name age friends { id name age } } }' },
  { query: '{ port(code: "LU1") { cranes { code number port { code name } operator { name age } } } }' },
  { query: '{ port(code: "LOST") { name } }' },
  { query: '{ logged: vessels(first: 1) { logbook(last: 3) { by { id name age } } } }' },
  { query: 'mutation { rename(id: "f1", name: "New") { id name homePort { name } } refit(id: "b1") { name ... on Barge { tonnes } } }' },
  { query: 'mutation ($id: ID!) { rename(id: $id, name: "New") { ... on Ferry { seats } } }', variables: { id: 'f9' } },
  { query: '{ constructor: vessel(id: "f1") { toString: name hasOwnProperty: id } }' },
  { query: '{ __schema { queryType { name } } vessel(id: "f1") { name } }' },
  { query: '{ __type(name: "Barge") { fields { name } } }' },
  { query: '{ vessels(first: 0) { id homePort { name } } }' },
  { query: '{ vessels(first: 30) { id name homePort { name berths busy cranes { reach } } } }' },
  { query: '{ nothing }' },
  { query: '{ vessel { id } }' },
  { query: 'query ($id: ID!) { vessel(id: $id) { id } }' },
  { query: '{ barge { secret } }' },
]
