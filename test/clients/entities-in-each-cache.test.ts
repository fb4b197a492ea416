import { createHash } from 'node:crypto'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { parse } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { cachingClients, type GraphEndpoint } from '../support/clients/caching-clients.ts'
import { accountOf, groupAdminToken, tokenOf } from '../support/clients/content-client.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import type { Platform } from '../support/processes/platform.ts'
import { sharedPlatform } from '../support/processes/shared-platform.ts'
import { jobOf } from '../support/samples/people.ts'

/** Each entity by two operations: one of a page that shows it beside others, and one that selects it alone. */
const operations: Readonly<Record<string, string>> = {
  pageDelegationsQuery: `query pageDelegationsQuery($filter: DelegationFilterInput) {
    delegations(first: 3, filter: $filter) { nodes { id group { id administrators { id email } } } } }`,
  pageGroupQuery: 'query pageGroupQuery($id: ID!) { group(id: $id) { id administrators { id email } } }',
  pageTextQuery: `query pageTextQuery($tenant: ID!, $id: ID!) {
    contentNode(tenantId: $tenant, id: $id) { tenantId id title parent { tenantId id title } tenant { id statistics { nodes } } } }`,
  pageParentQuery: 'query pageParentQuery($tenant: ID!, $id: ID!) { contentNode(tenantId: $tenant, id: $id) { tenantId id title } }',
  pageTenantQuery: 'query pageTenantQuery($tenant: ID!) { tenant(id: $tenant) { id statistics { nodes } } }',
  pageBatchQuery: 'query pageBatchQuery($id: ID!) { verificationBatch(id: $id) { id jobs(last: 5) { nodes { id status } } } }',
  pageJobQuery: 'query pageJobQuery($id: ID!) { verificationJob(id: $id) { id status batch { id } } }',
}

let system: Platform
let token: string
let artifacts: RelayArtifacts
beforeAll(async () => {
  system = await sharedPlatform('one')
  token = await tokenOf(system)
  await importDelegations()
  artifacts = clientArtifacts(Object.values(operations))
})
afterAll(() => artifacts?.[Symbol.dispose]())

const complaints = { error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') }
afterEach(() => {
  for (const complaint of Object.values(complaints)) expect(complaint.mock.calls).toEqual([])
})

const asAdministrator = () => ({ authorization: `Bearer ${token}` })
const graph = (headers: Readonly<Record<string, string>> = asAdministrator()): GraphEndpoint => ({
  url: system.graphqlUrl,
  headers,
  documentOf: (name) => parse(operations[name] ?? ''),
  artifactOf: (name) => artifacts.of(name),
})
function apollo(headers: Readonly<Record<string, string>> = asAdministrator()): ApolloClient {
  const link = new HttpLink({ uri: system.graphqlUrl, headers: { ...headers } })
  return new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
}

/** Stores three delegations of the group. */
async function importDelegations(): Promise<void> {
  const lines = [1, 2, 3].map((number) => ({ delegator: `ENTITY-${number}`, delegate: `ENTITY-${number + 1}`, group_id: 'north' }))
  const file = lines.map((line) => JSON.stringify({ ...line, starts_at: '2026-01-01T00:00:00Z' })).join('\n')
  const mutation = gql`mutation ($input: ImportDelegationsInput!) { importDelegations(input: $input) { created } }`
  const { data } = await apollo().mutate({ mutation, variables: { input: { file, format: 'NDJSON', dryRun: false } } })
  expect(data).toMatchObject({ importDelegations: { created: 3 } })
}

const create = gql`mutation ($input: CreateContentNodeInput!) { createContentNode(input: $input) { node { tenantId id title } } }`
/** Creates a tree of two texts for a new tenant. @returns the account that may change it */
async function treeOf(tenantId: string): Promise<ApolloClient> {
  const writer = apollo()
  await writer.mutate({ mutation: create, variables: { input: { tenantId, id: 'root', title: 'First' } } })
  await writer.mutate({ mutation: create, variables: { input: { tenantId, id: 'below', title: 'Below', parentId: 'root' } } })
  return writer
}

describe.each(cachingClients)('one cache of %s', (name, open) => {
  it('updates a group in lists when another query returns it', async () => {
    const page = open(graph())
    const variables = { filter: { group: 'north' } }
    const before = JSON.stringify(await page.query('pageDelegationsQuery', variables))
    await groupAdminToken(system, 'north')
    const alone = JSON.stringify(await page.query('pageGroupQuery', { id: 'north' }))
    const [added] = emailsIn(alone).filter((email) => !before.includes(email))
    expect(added).toMatch(/^group_admin\./)
    expect(JSON.stringify(await page.readCached('pageDelegationsQuery', variables))).toContain(added)
  })

  it('updates the parent and the tenant of a text when another query returns them', async () => {
    const tenant = `t-${name.toLowerCase().replace(/\W/g, '')}`
    const writer = await treeOf(tenant)
    const page = open(graph())
    const text = { tenant, id: 'below' }
    expect(await page.query('pageTextQuery', text)).toMatchObject({
      contentNode: { parent: { title: 'First' }, tenant: { statistics: { nodes: 2 } } },
    })
    const rename = gql`mutation ($input: UpdateContentNodeInput!) { updateContentNode(input: $input) { node { id } } }`
    await writer.mutate({ mutation: rename, variables: { input: { tenantId: tenant, id: 'root', title: 'Second' } } })
    await writer.mutate({ mutation: create, variables: { input: { tenantId: tenant, title: 'Third', parentId: 'root' } } })
    await page.query('pageParentQuery', { tenant, id: 'root' })
    await page.query('pageTenantQuery', { tenant })
    expect(await page.readCached('pageTextQuery', text)).toMatchObject({
      contentNode: { title: 'Below', parent: { title: 'Second' }, tenant: { id: tenant, statistics: { nodes: 3 } } },
    })
  })

  it('updates a job in its batch when another query returns it', async () => {
    const service = new VerificationClient(system)
    const page = open(graph({ 'x-service-api-key': system.apiKey }))
    const { body } = await service.submitBatch([await jobOf(5, { citizen_code: 'CIT-1' }), await jobOf(6, { citizen_code: 'CIT-2' })])
    const [id = ''] = body.job_ids
    const batch = { id: body.batch_id }
    expect(JSON.stringify(await page.query('pageBatchQuery', batch))).toContain(id)
    await service.untilFinished(body.job_ids)
    expect(await page.query('pageJobQuery', { id })).toMatchObject({ verificationJob: { status: 'COMPLETED', batch } })
    expect(await page.readCached('pageBatchQuery', batch)).toMatchObject({
      verificationBatch: { ...batch, jobs: { nodes: expect.arrayContaining([expect.objectContaining({ id, status: 'COMPLETED' })]) } },
    })
  })
})

const emailsIn = (text: string): readonly string[] => text.match(/[\w.-]+@example\.org/g) ?? []

it('login returns the entity of `me`, with roles as enum values and groups as edges', async () => {
  const client = apollo()
  const administrator = 'id email roles groups { id }'
  const { data } = await client.mutate({
    mutation: gql`mutation ($input: LoginInput!) { login(input: $input) { accessToken administrator { ${administrator} } } }`,
    variables: { input: await accountOf(system, 'group_admin') },
  })
  const { accessToken, administrator: signedIn } = Login.parse(data).login
  expect(signedIn).toMatchObject({
    roles: ['GROUP_ADMIN'],
    groups: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
  })
  const context = { headers: { authorization: `Bearer ${accessToken}` } }
  const me = await client.query({ query: gql`{ me { ${administrator} } }`, context })
  expect(me.data).toMatchObject({ me: signedIn })
  expect(keysIn(client).filter((key) => key.startsWith('Administrator:'))).toEqual([`Administrator:${signedIn.id}`])
})
const Login = z.object({ login: z.object({ accessToken: z.string(), administrator: z.looseObject({ id: z.string() }) }) })
const keysIn = (client: ApolloClient): readonly string[] => Object.keys(z.record(z.string(), z.unknown()).parse(client.cache.extract()))

it('a file has a URL and is cached by its content', async () => {
  await treeOf('printed')
  const client = apollo()
  const query = gql`{ contentPdf(tenantId: "printed") { fileName file { id url bytes mediaType sha256 } } }`
  const queryPdf = async () => (await client.query({ query, fetchPolicy: 'network-only' })).data
  await vi.waitFor(async () => expect(await queryPdf()).toMatchObject({ contentPdf: { file: { mediaType: 'application/pdf' } } }), {
    timeout: 60_000,
  })
  const { file } = Pdf.parse(await queryPdf()).contentPdf
  const response = await fetch(new URL(file.url, system.rest.content), { headers: { 'x-tenant-id': 'printed' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, file.mediaType])
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file.bytes, file.sha256])
  expect(keysIn(client)).toContain(`File:${file.id}`)
})
const Pdf = z.object({
  contentPdf: z.object({ file: z.object({ id: z.string(), url: z.string(), bytes: z.int(), mediaType: z.string(), sha256: z.string() }) }),
})
