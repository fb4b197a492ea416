import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import type { DocumentNode } from 'graphql'
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  Network,
  RecordSource,
  Store,
  type Variables,
} from 'relay-runtime'
import { possibleTypes, typePolicies } from '../../../packages/civigraph-client/src/caches/apollo.ts'
import { keys, schema } from '../../../packages/civigraph-client/src/caches/graphcache.ts'
import { getDataID } from '../../../packages/civigraph-client/src/caches/relay.ts'

/** Address, credentials and operations of a page. */
export interface GraphEndpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  documentOf(operation: string): DocumentNode
  artifactOf(operation: string): Promise<ConcreteRequest>
}

/** A page that sends operations, and reads their results from its cache. */
export interface CachingClient {
  query(operation: string, variables: Variables): Promise<unknown>
  /** Returns the cached result without a request. */
  readCached(operation: string, variables: Variables): Promise<unknown>
}

/** The caching clients, each configured as the package documents. */
export const cachingClients: readonly (readonly [string, (endpoint: GraphEndpoint) => CachingClient])[] = [
  ['Apollo Client', apollo],
  ['urql’s graphcache', graphcache],
  ['Relay', relay],
]

function apollo({ url, headers, documentOf }: GraphEndpoint): CachingClient {
  const link = new HttpLink({ uri: url, headers: { ...headers } })
  const client = new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
  return {
    query: async (name, variables) => (await client.query({ query: documentOf(name), variables, fetchPolicy: 'network-only' })).data,
    readCached: async (name, variables) => client.readQuery({ query: documentOf(name), variables }),
  }
}

function graphcache({ url, headers, documentOf }: GraphEndpoint): CachingClient {
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: () => ({ headers }),
    exchanges: [cacheExchange({ keys, schema }), fetchExchange],
  })
  return {
    query: async (name, variables) => (await client.query(documentOf(name), variables, { requestPolicy: 'network-only' })).data,
    readCached: async (name, variables) => (await client.query(documentOf(name), variables, { requestPolicy: 'cache-only' })).data,
  }
}

function relay({ url, headers, artifactOf }: GraphEndpoint): CachingClient {
  const network = Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
    return (await response.json()) as GraphQLSingularResponse
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID })
  const readCached = async (name: string, variables: Variables): Promise<unknown> => {
    const { data } = environment.lookup(createOperationDescriptor(await artifactOf(name), variables).fragment)
    const source = environment.getStore().getSource()
    // Relay masks fragments: their fields are read from their records
    const shown = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shown)
      if (typeof value !== 'object' || value === null) return value
      const { __id: id, __fragments: _, __fragmentOwner: __, ...more } = value as Readonly<Record<string, unknown>>
      return {
        ...(id === undefined ? {} : { record: source.get(String(id)) }),
        ...Object.fromEntries(Object.entries(more).map(([key, part]) => [key, shown(part)])),
      }
    }
    return shown(data)
  }
  return {
    async query(name, variables) {
      await fetchQuery(environment, await artifactOf(name), variables, { fetchPolicy: 'network-only' }).toPromise()
      return readCached(name, variables)
    },
    readCached,
  }
}
