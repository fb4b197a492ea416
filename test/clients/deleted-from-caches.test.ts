import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLSingularResponse,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { keys, schema } from '../../packages/civigraph-client/src/caches/graphcache.ts'
import { getDataID } from '../../packages/civigraph-client/src/caches/relay.ts'
import { tokenOf } from '../support/clients/content-client.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import type { Platform } from '../support/processes/platform.ts'
import { sharedPlatform } from '../support/processes/shared-platform.ts'
import { jobOf } from '../support/samples/people.ts'

const texts = `query pageTextsQuery($tenant: ID) {
  contentRoot(tenantId: $tenant) { root { tenantId id children(first: 20) { edges { cursor node { tenantId id title
    children(first: 20) { edges { cursor node { tenantId id } } pageInfo { hasNextPage } } } } pageInfo { hasNextPage } } } } }`
const remove = `mutation pageRemoveMutation($input: DeleteContentNodeInput!) {
  deleteContentNode(input: $input) { id tenantId deletedNodeIds @deleteRecord } }`
const replace = `mutation pageReplaceMutation($input: FinishContentImportInput!) {
  finishContentImport(input: $input) { summary { deleted deletedIds tenantId deletedNodeIds @deleteRecord } } }`
/** Mutations of clients other than Relay, without its directive. */
const replacePlainly = gql(replace.replace(' @deleteRecord', ''))
const removePlainly = gql(remove.replace(' @deleteRecord', ''))
const create = gql`mutation ($input: CreateContentNodeInput!) { createContentNode(input: $input) { node { id } } }`

let system: Platform
let token: string
let artifacts: RelayArtifacts
let tenant = ''
let serial = 0
beforeAll(async () => {
  system = await sharedPlatform('one')
  token = await tokenOf(system)
  artifacts = clientArtifacts([texts, remove, replace])
})
afterAll(() => artifacts?.[Symbol.dispose]())

const headersOf = (headers: Readonly<Record<string, string>> = { authorization: `Bearer ${token}` }) => ({ ...headers })
const apollo = (headers = headersOf()): ApolloClient =>
  new ApolloClient({
    cache: new InMemoryCache({ typePolicies, possibleTypes }),
    link: new HttpLink({ uri: system.graphqlUrl, headers }),
  })

const Texts = z.object({
  contentRoot: z.object({
    root: z.object({ children: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string() }).nullish() })) }) }),
  }),
})
const shown = (data: unknown) => Texts.parse(data).contentRoot.root.children.edges.flatMap(({ node }) => node?.id ?? [])

describe('a cached list loses a deleted text by the result of the mutation', () => {
  beforeEach(async () => {
    tenant = `tenant-${++serial}`
    for (const [id, parentId] of [['root'], ['stays', 'root'], ['goes', 'root'], ['below', 'goes']])
      await apollo().mutate({ mutation: create, variables: { input: { tenantId: tenant, id, parentId, title: id } } })
  })
  const input = () => ({ tenantId: tenant, id: 'goes' })

  /** Runs an import without `goes` and its subtree until it ends. @returns the import */
  async function replacing(): Promise<string> {
    const writer = apollo()
    const start = gql`mutation ($input: StartContentImportInput!) { startContentImport(input: $input) { importId } }`
    const { data } = await writer.mutate({ mutation: start, variables: { input: { tenantId: tenant, mode: 'REPLACE' } } })
    const { importId } = Started.parse(data).startContentImport
    const append = gql`mutation ($input: AppendContentImportInput!) { appendContentImport(input: $input) { received } }`
    const nodes = [
      { id: 'root', title: 'root' },
      { id: 'stays', title: 'stays', parentId: 'root' },
    ]
    await writer.mutate({ mutation: append, variables: { input: { importId, sequence: 0, nodes } } })
    return importId
  }

  it('in Apollo Client, which evicts what an import removed', async () => {
    const client = apollo()
    const list = { query: gql(texts), variables: { tenant } }
    expect(shown((await client.query(list)).data)).toEqual(['stays', 'goes'])
    await client.mutate({
      mutation: replacePlainly,
      variables: { input: { importId: await replacing() } },
      update(cache, { data }) {
        const { deleted, deletedIds, tenantId } = Replaced.parse(data).finishContentImport.summary
        expect([deleted, deletedIds, tenantId]).toEqual([2, ['goes', 'below'], tenant])
        for (const id of deletedIds) cache.evict({ id: cache.identify({ __typename: 'ContentNode', tenantId, id }) ?? '' })
      },
    })
    expect(shown(client.readQuery(list))).toEqual(['stays'])
  })

  it('in Apollo Client, which evicts the node', async () => {
    const client = apollo()
    const list = { query: gql(texts), variables: { tenant } }
    expect(shown((await client.query(list)).data)).toEqual(['stays', 'goes'])
    await client.mutate({
      mutation: removePlainly,
      variables: { input: input() },
      update(cache, { data }) {
        const { id, tenantId } = Deleted.parse(data).deleteContentNode
        cache.evict({ id: cache.identify({ __typename: 'ContentNode', tenantId, id }) ?? '' })
      },
    })
    expect(shown(client.readQuery(list))).toEqual(['stays'])
  })

  it('in urql’s graphcache, which invalidates the node and queries again', async () => {
    const client = new Client({
      url: system.graphqlUrl,
      preferGetMethod: false,
      fetchOptions: () => ({ headers: headersOf() }),
      exchanges: [
        cacheExchange({
          keys,
          schema,
          updates: {
            Mutation: {
              deleteContentNode(result, _, cache) {
                const { id, tenantId } = Deleted.parse(result).deleteContentNode
                cache.invalidate({ __typename: 'ContentNode', tenantId, id })
              },
            },
          },
        }),
        fetchExchange,
      ],
    })
    const shownTexts = async () => shown((await client.query(gql(texts), { tenant })).data)
    expect(await shownTexts()).toEqual(['stays', 'goes'])
    expect((await client.mutation(removePlainly, { input: input() })).error).toBeUndefined()
    expect(await shownTexts()).toEqual(['stays'])
  })

  it.each([
    ['deleted', 'pageRemoveMutation', async () => input()],
    ['replaced by an import', 'pageReplaceMutation', async () => ({ importId: await replacing() })],
  ])('in Relay, by a directive for its compiler, with the subtree: %s', async (_, name, inputOf) => {
    const source = new RecordSource()
    const network = Network.create(async ({ text }, variables) => {
      const body = JSON.stringify({ query: text, variables })
      const headers = { 'content-type': 'application/json', ...headersOf() }
      return (await (await fetch(system.graphqlUrl, { method: 'POST', headers, body })).json()) as GraphQLSingularResponse
    })
    const environment = new Environment({ network, store: new Store(source), getDataID })
    const query = await artifacts.of('pageTextsQuery')
    const cachedTexts = () => shown(environment.lookup(createOperationDescriptor(query, { tenant }).fragment).data)
    await fetchQuery(environment, query, { tenant }).toPromise()
    expect(cachedTexts()).toEqual(['stays', 'goes'])
    expect(textsIn(source)).toEqual(['below', 'goes', 'root', 'stays'])
    const [mutation, input] = [await artifacts.of(name), await inputOf()]
    await new Promise((resolve, reject) =>
      commitMutation(environment, { mutation, variables: { input }, onCompleted: resolve, onError: reject }),
    )
    expect(cachedTexts()).toEqual(['stays'])
    expect(textsIn(source)).toEqual(['root', 'stays'])
  })
})
const textsIn = (source: RecordSource): readonly unknown[] =>
  source
    .getRecordIDs()
    .map((id) => source.get(id))
    .filter((record) => record?.__typename === 'ContentNode')
    .map((record) => record?.id)
    .sort()
const Started = z.object({ startContentImport: z.object({ importId: z.string() }) })
const Summary = z.object({ deleted: z.int(), deletedIds: z.array(z.string()), tenantId: z.string() })
const Replaced = z.object({ finishContentImport: z.object({ summary: Summary }) })
const Deleted = z.object({ deleteContentNode: z.object({ id: z.string(), tenantId: z.string() }) })

it('acknowledged results are no longer in a cache that evicts the ids of the mutation', async () => {
  const service = new VerificationClient(system)
  const client = apollo(headersOf({ 'x-service-api-key': system.apiKey }))
  const { body } = await service.submit(await jobOf(5))
  await service.untilFinished([body.job_id])
  const query = gql`{ verificationResults { edges { cursor node { outcome job { id status } } } pageInfo { hasNextPage } } }`
  expect(JSON.stringify((await client.query({ query })).data)).toContain(body.job_id)
  const acknowledge = gql`mutation ($input: AcknowledgeVerificationResultsInput!) {
    acknowledgeVerificationResults(input: $input) { acknowledged acknowledgedJobIds } }`
  await client.mutate({
    mutation: acknowledge,
    variables: { input: { jobIds: [body.job_id, '00000000-0000-4000-8000-000000000000'] } },
    update(cache, { data }) {
      const { acknowledged, acknowledgedJobIds } = Acknowledged.parse(data).acknowledgeVerificationResults
      expect([acknowledged, acknowledgedJobIds]).toEqual([1, [body.job_id]])
      for (const id of acknowledgedJobIds) cache.evict({ id: cache.identify({ __typename: 'VerificationJob', id }) ?? '' })
    },
  })
  expect(client.readQuery({ query })).toBeNull()
  expect((await client.query({ query })).data).toMatchObject({ verificationResults: { edges: [] } })
})
const Acknowledged = z.object({
  acknowledgeVerificationResults: z.object({ acknowledged: z.int(), acknowledgedJobIds: z.array(z.string()) }),
})
