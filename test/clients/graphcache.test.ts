import { Client, fetchExchange, gql } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { graphql } from 'graphql'
import { afterEach, expect, it, vi } from 'vitest'
import { keys, schema } from '../../packages/civigraph-client/src/caches/graphcache.ts'
import { clientSchema } from '../support/clients/client-schema.ts'

afterEach(() => vi.restoreAllMocks())

/** urql with graphcache and the keys of the package, over the printed schema. */
function clientOf(rootValue: object): Client {
  return new Client({
    url: 'http://graph.test/graphql',
    preferGetMethod: false,
    fetch: async (_, init) => {
      const { query, variables } = JSON.parse(String(init?.body))
      return Response.json(await graphql({ schema: clientSchema, source: query, variableValues: variables, rootValue }))
    },
    exchanges: [cacheExchange({ keys, schema }), fetchExchange],
  })
}

const page = gql`query ($tenant: ID) {
  contentNode(tenantId: $tenant, id: "root") { tenantId id title children { nodes { id title } pageInfo { hasNextPage } } }
  statistics { expressions { total byLang { lang count } } sentiment { positive } }
}`

it('stores the nodes of two tenants separately, with a key for every type', async () => {
  const warned = vi.spyOn(console, 'warn')
  const pageInfo = { hasNextPage: false, hasPreviousPage: false }
  const client = clientOf({
    contentNode: ({ tenantId }: { readonly tenantId: string }) => ({
      tenantId,
      id: 'root',
      title: `Root of ${tenantId}`,
      children: { nodes: [{ id: 'a', title: `A of ${tenantId}` }], pageInfo },
    }),
    statistics: { expressions: { total: 7, byLang: [{ lang: 'fr', count: 7 }] }, sentiment: { positive: 3 } },
  })
  await client.query(page, { tenant: 'north' })
  await client.query(page, { tenant: 'south' })
  const { data } = await client.query(page, { tenant: 'north' }, { requestPolicy: 'cache-only' })
  expect(data.contentNode).toMatchObject({ title: 'Root of north', children: { nodes: [{ title: 'A of north' }] } })
  expect(data.statistics.expressions.byLang).toMatchObject([{ lang: 'fr', count: 7 }])
  expect(warned.mock.calls).toEqual([])
})

it('identifies a citizen by the code in every result', async () => {
  const client = clientOf({
    citizen: ({ code }: { readonly code: string }) => ({
      code,
      verifications: { nodes: [{ id: 'job', status: 'QUEUED', citizen: { code } }] },
    }),
    verificationJob: { id: 'job', status: 'COMPLETED', citizen: { code: 'C' } },
  })
  const list = gql`{ citizen(code: "C") { code verifications { nodes { id status citizen { code } } } } }`
  await client.query(list, {})
  await client.query(gql`{ verificationJob(id: "job") { id status citizen { code } } }`, {})
  const { data } = await client.query(list, {}, { requestPolicy: 'cache-only' })
  expect(data.citizen.verifications.nodes).toMatchObject([{ status: 'COMPLETED' }])
})
