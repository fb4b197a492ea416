import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse, print, visit } from 'graphql'
import { createExecutor, type ExecutorOptions } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import type { SubgraphSource } from '../../../gateway/sources/subgraph-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'

/** An archive with restricted fields, types, interfaces and members of unions. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@shareable", "@authenticated", "@requiresScopes", "@policy"])'

export const archiveSdl = {
  files: `${link}
    type Query {
      file(id: ID!): File
      files: [File!]
      secretFile: Secret
      records: [Record]
      notes: [Note!]!
      found: [Found]
      mustFind: [Found!]!
      own: Person @authenticated
      granted(policies: [String!]!): [String!]!
    }
    type Mutation { open: File  burn: Boolean @requiresScopes(scopes: [["file:burn", "file:write"], ["admin"]]) }
    type Subscription { filed: File  leaked: File @authenticated }
    type File @key(fields: "code") {
      id: ID!
      code: String! @authenticated
      title: String
      shelf: Shelf
      sealed: String! @requiresScopes(scopes: [["file:read"]])
      stamp: Stamp
      mood: Mood
      judged: String @policy(policies: [["judge"], ["clerk", "day"]])
    }
    type Shelf { number: Int  inner: Inner! }
    type Inner { label: String! @authenticated  free: String }
    scalar Stamp @authenticated
    enum Mood @authenticated { CALM GRAVE }
    type Secret @authenticated { id: ID!  text: String }
    interface Record { id: ID!  name: String }
    type Paper implements Record { id: ID!  name: String  pages: Int }
    type Tape implements Record { id: ID!  name: String @authenticated  minutes: Int }
    interface Note { id: ID! }
    type Open implements Note { id: ID! }
    type Closed implements Note @authenticated { id: ID! }
    union Found = Paper | Secret
    type Person @key(fields: "id") { id: ID!  name: String }`,
  people: `${link}
    type File @key(fields: "code") { code: String! @authenticated  reader: String  weight: Int }
    type Person @key(fields: "id") { id: ID!  phone: String @requiresScopes(scopes: [["phone"]]) }`,
} as const

const file = (id: string) => ({
  __typename: 'File',
  id,
  code: `code-${id}`,
  title: `File ${id}`,
  shelf: { number: 1, inner: { label: 'LABEL', free: 'free' } },
  sealed: 'SEALED',
  stamp: 'STAMP',
  mood: 'CALM',
  judged: 'JUDGED',
})
const secret = { __typename: 'Secret', id: 's1', text: 'SECRET' }
const paper = { __typename: 'Paper', id: 'p1', name: 'Paper', pages: 3 }

async function* filed(name: string) {
  yield { [name]: file('1') }
  yield { [name]: file('2') }
}

const resolvers: Readonly<Record<keyof typeof archiveSdl, object>> = {
  files: {
    Query: {
      file: (_: unknown, { id }: { id: string }) => file(id),
      files: () => [file('1'), file('2')],
      secretFile: () => secret,
      records: () => [paper, { __typename: 'Tape', id: 't1', name: 'TAPE', minutes: 9 }],
      notes: () => [
        { __typename: 'Open', id: 'o1' },
        { __typename: 'Closed', id: 'CLOSED' },
      ],
      found: () => [paper, secret],
      mustFind: () => [paper, secret],
      own: () => ({ id: 'me', name: 'Me' }),
      granted: (_: unknown, { policies }: { policies: string[] }) => policies.filter((policy) => policy === 'judge'),
    },
    Mutation: { open: () => file('9'), burn: () => true },
    Subscription: { filed: { subscribe: () => filed('filed') }, leaked: { subscribe: () => filed('leaked') } },
  },
  people: {
    File: { __resolveReference: ({ code }: { code: string }) => ({ code, reader: `reader of ${code}`, weight: 2 }) },
    Person: { __resolveReference: ({ id }: { id: string }) => ({ id, phone: 'PHONE' }) },
  },
}

export const archiveSupergraph = (): string =>
  composeSupergraph(Object.entries(archiveSdl).map(([name, sdl]) => ({ name, sdl, url: `http://${name}` })))

/** An edited supergraph whose links do not declare the purpose SECURITY. */
export const withoutPurpose = (supergraph: string): string =>
  print(
    visit(parse(supergraph), {
      Directive: (node) =>
        node.name.value === 'link' ? { ...node, arguments: node.arguments?.filter(({ name }) => name.value !== 'for') } : undefined,
    }),
  )

/** A supergraph without authorization directives: all of it is public. */
export const unprotected = (supergraph: string): string =>
  print(
    visit(parse(supergraph), {
      Directive: ({ name }) => (['authenticated', 'requiresScopes', 'policy'].includes(name.value) ? null : undefined),
    }),
  )

export const archiveSchemas = (): Readonly<Record<keyof typeof archiveSdl, GraphQLSchema>> => {
  const build = (name: keyof typeof archiveSdl) =>
    buildSubgraphSchema([{ typeDefs: parse(archiveSdl[name]), resolvers: resolvers[name] as never }])
  return { files: build('files'), people: build('people') }
}

/** The archive in this process. `fetched` are the documents that its subgraphs received. */
export function openArchive(options: Partial<ExecutorOptions> = {}) {
  const fetched: string[] = []
  const sources = Object.fromEntries(
    Object.entries(archiveSchemas()).map(([name, schema]): [string, SubgraphSource] => {
      const source = inProcessSource({ schema })
      const fetch: SubgraphSource['fetch'] = (request) => {
        fetched.push(request.query)
        return source.fetch(request)
      }
      const stream: SubgraphSource['stream'] = (request) => {
        fetched.push(request.query)
        return source.stream(request)
      }
      return [name, { ...source, fetch, stream }]
    }),
  )
  const executor = createExecutor({
    supergraph: archiveSupergraph(),
    sources,
    eventTimeoutMs: 2000,
    authorization: { policies: (policies, { principal }) => policies.filter((policy) => principal.user?.roles.includes(policy)) },
    ...options,
  })
  return { executor, fetched }
}
