import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { parse } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { keys, schema } from '../../packages/civigraph-client/src/caches/graphcache.ts'
import { postExpression } from '../support/clients/post-expression.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'

let system: System
beforeAll(async () => {
  system = await startPlatform({ workers: ['exploration', 'classification'] })
  const expression = { text: 'The bus 7 is late again', domain_hint: 'transport', location: { lat: 14.7, lon: -17.4 } }
  expect(await postExpression(system, expression)).toMatchObject({ status: 201 })
})
afterAll(() => system?.stop())

const complaints = { error: vi.spyOn(console, 'error'), warn: vi.spyOn(console, 'warn') }
afterEach(() => {
  for (const complaint of Object.values(complaints)) expect(complaint.mock.calls).toEqual([])
})

/** An operation of an anonymous page: some fields require a permission. */
const page = parse(`{
  me { id } auditTrail { nodes { id } } delegations { nodes { id } } group(id: "north") { id } verificationJobs { nodes { id } }
  verificationResults { nodes { outcome } } reviewQueue { nodes { job { id } } }
  domains { version } expressions(first: 1) { nodes { id text location { precision } } }
}`)
const guarded = ['me', 'auditTrail', 'delegations', 'group', 'verificationJobs', 'verificationResults', 'reviewQueue']
const expected = {
  ...Object.fromEntries(guarded.map((name) => [name, null])),
  domains: { version: expect.any(String) },
  expressions: { nodes: [{ text: 'The bus 7 is late again', location: { precision: 'EXACT' } }] },
}

interface Refused {
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}
interface Answer {
  readonly data: unknown
  readonly errors: readonly Refused[]
}
async function apollo(document: typeof page, variables: object = {}): Promise<Answer> {
  const cache = new InMemoryCache({ typePolicies, possibleTypes })
  const client = new ApolloClient({ cache, link: new HttpLink({ uri: system.graphqlUrl }) })
  const { data, error } = await client.query({ query: document, variables: { ...variables }, errorPolicy: 'all' })
  return { data, errors: error !== undefined && 'errors' in error ? (error.errors as readonly Refused[]) : [] }
}
async function graphcache(document: typeof page, variables: object = {}): Promise<Answer> {
  const exchanges = [cacheExchange({ keys, schema }), fetchExchange]
  const client = new Client({ url: system.graphqlUrl, preferGetMethod: false, exchanges })
  const { data, error } = await client.query(document, { ...variables })
  return { data, errors: error?.graphQLErrors ?? [] }
}

describe.each([
  ['Apollo Client', apollo],
  ['urql’s graphcache', graphcache],
])('%s', (_, send) => {
  it('returns the permitted fields of a page, and one error for each refused field', async () => {
    const { data, errors } = await send(page)
    expect(data).toMatchObject(expected)
    const codes = Object.fromEntries(errors.map(({ path = [], extensions = {} }) => [path[0], extensions.code]))
    expect(codes).toEqual(Object.fromEntries(guarded.map((name) => [name, 'UNAUTHENTICATED'])))
  })

  it('accepts and returns days as ISO 8601 dates', async () => {
    const days = parse('query ($from: Date) { statistics(filter: { from: $from }) { sentiment { history { day expressions } } } }')
    const history = async () => Days.parse((await send(days, { from: '2026-01-01' })).data).statistics.sentiment.history
    await expect.poll(history).toMatchObject([{ expressions: 1 }])
    const { errors } = await send(days, { from: '2026-02-30' })
    expect(errors.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_USER_INPUT', entries: [{ path: ['from'] }] }])
  })

  it('reports an unknown enum value with its path', async () => {
    const document = parse('query ($filter: ExpressionFilterInput) { expressions(filter: $filter) { nodes { id } } }')
    const { errors } = await send(document, { filter: { sentiment: 'GLAD' } })
    expect(errors.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_USER_INPUT', entries: [{ path: ['sentiment'] }] }])
  })
})
const Days = z.object({
  statistics: z.object({ sentiment: z.object({ history: z.array(z.object({ day: z.iso.date(), expressions: z.int() })) }) }),
})
