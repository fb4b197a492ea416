import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import {
  type DocumentNode,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  typeFromAST,
  visit,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { possibleTypes, typePolicies } from '../../../packages/civigraph-client/src/caches/apollo.ts'
import { schema as cacheSchema, keys, resolvers } from '../../../packages/civigraph-client/src/caches/graphcache.ts'
import * as documents from '../../../packages/civigraph-client/src/graphql/generated/documents.ts'
import { clientSchema } from '../../support/clients/client-schema.ts'
import { pagedAnswer as answer } from '../../support/clients/paged-graph.ts'

/** a row without an id of its own has that of its job or expression, a key or a number */
interface Row {
  readonly id?: string
  readonly jobId?: string
  readonly job?: { readonly id: string }
  readonly expression?: { readonly id: string }
  readonly key?: string
  readonly number?: number
  readonly citizen?: { readonly code: string }
  /** of a citizen, which caches keep by it */
  readonly code?: string
}
interface Page {
  readonly nodes?: readonly Row[]
  readonly edges?: readonly { readonly node: Row }[]
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

const pageSize = 3
function inputOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return inputOf(type.ofType)
  if (isListType(type)) return []
  if (isEnumType(type)) return type.getValues()[0]?.value
  if (!isInputObjectType(type)) return type.name === 'Int' ? 1 : 'x'
  const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
  return Object.fromEntries(needed.map((field) => [field.name, inputOf(field.type)]))
}

/** Where a document reads a list by pages, by the names in its response. */
function placeOfList(document: DocumentNode): readonly string[] | undefined {
  let place: readonly string[] | undefined
  visit(document, {
    Field(node, _, __, ___, ancestors) {
      const isPaged = node.arguments?.some(({ name, value }) => name.value === 'after' && value.kind === Kind.VARIABLE)
      if (!isPaged) return
      const above = ancestors.flatMap((each) => ('kind' in each && each.kind === Kind.FIELD ? [each.alias?.value ?? each.name.value] : []))
      place = [...above, node.alias?.value ?? node.name.value]
    },
  })
  return place
}

const paged = Object.entries(documents).flatMap(([name, document]) => {
  if (!name.endsWith('Document')) return []
  const parsed = document as DocumentNode
  const [definition] = parsed.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode[]
  const place = definition?.operation === 'query' ? placeOfList(parsed) : undefined
  if (definition === undefined || place === undefined) return []
  const required = (definition.variableDefinitions ?? []).filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue,
  )
  const variables = Object.fromEntries(
    required.map(({ variable, type }) => [variable.name.value, inputOf(typeFromAST(clientSchema, type) as GraphQLInputType)]),
  )
  return [{ name, document: parsed, variables, place }]
})

const pageAt = (data: unknown, place: readonly string[]): Page =>
  place.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>>)[step], data) as Page
/** Rows without an id are never listed twice: their lists begin with the oldest. */
const joinedOf = (first: Page): readonly string[] => {
  const [row] = first.nodes ?? first.edges?.map(({ node }) => node) ?? []
  return (row?.id ?? row?.code) === undefined ? ['1', '2', '3', '3', '4', '5'] : ['1', '2', '3', '4', '5']
}
const idsOf = ({ nodes, edges }: Page): readonly string[] =>
  (nodes ?? edges?.map(({ node }) => node) ?? []).map(({ id, jobId, job, expression, key, number, citizen, code }) =>
    String(id ?? jobId ?? job?.id ?? expression?.id ?? key ?? number ?? citizen?.code ?? code ?? ''),
  )

describe('the packaged documents that read lists', () => {
  it('are those of every list page of the platform', () => {
    expect(paged.length).toBeGreaterThan(10)
  })

  it.each(paged)('$name: Apollo Client joins its pages, each item once', async ({ document, variables, place }) => {
    const cache = new InMemoryCache({ typePolicies, possibleTypes })
    const client = new ApolloClient({ cache, link: new HttpLink({ uri: 'http://graph.test/graphql', fetch: answer }) })
    const watched = client.watchQuery({ query: document, variables })
    const listening = watched.subscribe(() => undefined)
    await expect.poll(() => watched.getCurrentResult().loading).toBe(false)
    const first = pageAt(watched.getCurrentResult().data, place)
    expect([idsOf(first), first.pageInfo.hasNextPage]).toEqual([['1', '2', '3'], true])
    await watched.fetchMore({ variables: { ...variables, after: first.pageInfo.endCursor } })
    await expect.poll(() => idsOf(pageAt(watched.getCurrentResult().data, place))).toEqual(joinedOf(first))
    expect(pageAt(watched.getCurrentResult().data, place).pageInfo).toMatchObject({ hasNextPage: false, endCursor: '5' })
    // reading the list from its start replaces the pages
    await watched.refetch()
    expect(idsOf(pageAt(watched.getCurrentResult().data, place))).toHaveLength(pageSize)
    listening.unsubscribe()
  })

  it.each(paged)('$name: urql joins its pages, each item once', async ({ document, variables, place }) => {
    const exchanges = [cacheExchange({ keys, schema: cacheSchema, resolvers }), fetchExchange]
    const client = new Client({ url: 'http://graph.test/graphql', preferGetMethod: false, fetch: answer, exchanges })
    const first = await client.query(print(document), variables)
    expect(first.error).toBeUndefined()
    const { endCursor } = pageAt(first.data, place).pageInfo
    const second = await client.query(print(document), { ...variables, after: endCursor })
    expect(idsOf(pageAt(second.data, place))).toEqual(joinedOf(pageAt(first.data, place)))
    expect(pageAt(second.data, place).pageInfo.hasNextPage).toBe(false)
  })
})

describe('fields of a type without an id', () => {
  it('are merged from two operations in Apollo Client, without another request', async () => {
    let sent = 0
    const counting: typeof fetch = (input, init) => {
      sent += 1
      return answer(input, init)
    }
    const cache = new InMemoryCache({ typePolicies, possibleTypes })
    const client = new ApolloClient({ cache, link: new HttpLink({ uri: 'http://graph.test/graphql', fetch: counting }) })
    const some = gql`{ expression(id: "1") { id votes { agree disagree } } }`
    const others = gql`{ expression(id: "1") { id votes { total } } }`
    for (const query of [some, others, some, others]) await client.query({ query })
    expect(sent).toBe(2)
    expect(cache.readQuery({ query: some })).toMatchObject({ expression: { votes: { agree: 1, disagree: 1 } } })
  })

  it.each(
    Object.values(clientSchema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith('__') && !['Query', 'Mutation', 'Subscription', 'Citizen'].includes(type.name),
    ),
  )('are merged, and those of a type with an id are not: %s', (type) => {
    const hasId = isObjectType(type) && type.getFields().id !== undefined
    expect(typePolicies[type.name]?.merge === true).toBe(!hasId)
  })
})
