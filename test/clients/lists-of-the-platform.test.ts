import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { isIntrospectionType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { possibleTypes, typePolicies } from '../../packages/civigraph-client/src/caches/apollo.ts'
import { clientSchema } from '../support/clients/client-schema.ts'
import { newAccount, tokenOf } from '../support/clients/content-client.ts'
import { postExpression } from '../support/clients/post-expression.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'
import { startProcess } from '../support/processes/platform-process.ts'
import { jobOf } from '../support/samples/people.ts'

interface List {
  /** The operation, with `…` in place of the list's arguments and selection. */
  readonly within: (list: string) => string
  readonly as: 'administrator' | 'service'
}
const administrator = (within: List['within']): List => ({ within, as: 'administrator' })
const service = (within: List['within']): List => ({ within, as: 'service' })

/** Every list of the graph, by the coordinate of its field. */
const lists: Readonly<Record<string, List>> = {
  'Query.accounts': administrator((list) => `{ list: accounts${list} }`),
  'Query.auditTrail': administrator((list) => `{ list: auditTrail${list} }`),
  'Query.callbackDeliveries': administrator((list) => `{ list: callbackDeliveries${list} }`),
  'Query.citizens': administrator((list) => `{ list: citizens${list} }`),
  'Query.contentSubtree': administrator((list) => `{ list: contentSubtree${list} }`),
  'Query.contentTrash': administrator((list) => `{ list: contentTrash${list} }`),
  'Query.deadLetters': administrator((list) => `{ list: deadLetters${list} }`),
  'Query.delegationScenarios': administrator((list) => `{ list: delegationScenarios${list} }`),
  'Query.delegationFigures': administrator((list) => `{ list: delegationFigures${list} }`),
  'Query.delegationsAt': administrator((list) => `{ list: delegationsAt${list.replace('(', `(at: "${moment}", `)} }`),
  'Query.delegations': administrator((list) => `{ list: delegations${list} }`),
  'Query.expressionExport': administrator((list) => `{ list: expressionExport${list.replace('nodes', 'rows')} }`),
  'Query.expressions': administrator((list) => `{ list: expressions${list} }`),
  'Query.moderationDecisions': administrator((list) => `{ list: moderationDecisions${list} }`),
  'Query.moderationQueue': administrator((list) => `{ list: moderationQueue${list} }`),
  'Query.reviewQueue': administrator((list) => `{ list: reviewQueue${list} }`),
  'Query.searchExpressions': administrator((list) => `{ list: searchExpressions${list.replace('(', '(input: { text: "water" }, ')} }`),
  'Query.serviceKeys': administrator((list) => `{ list: serviceKeys${list} }`),
  'Query.similarExpressions': administrator((list) => `{ list: similarExpressions${list.replace('(', '(id: "none", ')} }`),
  'Query.taxonomyCorrections': administrator((list) => `{ list: taxonomyCorrections${list} }`),
  'Query.taxonomyReclassifications': administrator((list) => `{ list: taxonomyReclassifications${list} }`),
  'Query.taxonomyVersions': administrator((list) => `{ list: taxonomyVersions${list} }`),
  'Query.verificationJobs': administrator((list) => `{ list: verificationJobs${list} }`),
  'Query.verificationResults': service((list) => `{ list: verificationResults${list} }`),
  'Citizen.delegationsGiven': administrator((list) => `{ of: citizen(code: "CIT-1") { list: delegationsGiven${list} } }`),
  'Citizen.delegationsReceived': administrator((list) => `{ of: citizen(code: "CIT-1") { list: delegationsReceived${list} } }`),
  'Citizen.verifications': administrator((list) => `{ of: citizen(code: "CIT-1") { list: verifications${list} } }`),
  'CitizenRegistration.outcomes': administrator((list) => `{ of: citizen(code: "CIT-1") { of: registration { list: outcomes${list} } } }`),
  'ContentNode.children': administrator((list) => `{ of: contentRoot { of: root { list: children${list} } } }`),
  'Delegation.history': administrator(
    (list) => `{ of: delegations(filter: { delegator: "CIT-1", delegate: "CIT-2" }, first: 1) { of: nodes { list: history${list} } } }`,
  ),
  'DelegationSimulation.delegators': administrator(
    (list) => `{ of: delegationSimulation { list: delegators${list.replace('(', '(filter: { delegate: "CIT-1" }, ')} } }`,
  ),
  'DelegationSimulation.weights': administrator((list) => `{ of: delegationSimulation { list: weights${list} } }`),
  'Domain.expressions': administrator((list) => `{ of: domain(id: "transport") { list: expressions${list} } }`),
  'Group.delegations': administrator((list) => `{ of: group(id: "north") { list: delegations${list} } }`),
  'VerificationBatch.jobs': service((list) => `query ($batch: ID!) { of: verificationBatch(id: $batch) { list: jobs${list} } }`),
}
const fields = Object.values(clientSchema.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !isIntrospectionType(type)
    ? Object.values(type.getFields()).map(({ name, args }) => [`${type.name}.${name}`, args] as const)
    : [],
)
/** Limits that descriptions state for an argument, by the coordinate of the field. */
const limitsOf = (argument: string): ReadonlyMap<string, number> =>
  new Map(
    fields.flatMap(([place, args]) => {
      const text = args.find(({ name }) => name === argument)?.description
      return text ? [[place, Number(/1 to ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', ''))] as const] : []
    }),
  )
const limits = { first: limitsOf('first'), last: limitsOf('last') }

let system: System
/** after all changes; a cursor is valid for one time only */
let moment: string
let batch: string
let token: string
beforeAll(async () => {
  system = await startPlatform({ env: { DEMO_DATA: 'on', REVIEW_RETENTION_DAYS: '1' } })
  token = await tokenOf(system)
  const keys = ['one', 'two', 'three'].map((name) => startProcess(['keys', 'create', name], system.env))
  expect(await Promise.all(keys.map(({ exited }) => exited))).toEqual([0, 0, 0])
  await Promise.all([1, 2, 3].map(() => newAccount(system, 'reviewer')))
  const verification = new VerificationClient(system)
  // without its back side a card goes to review; the callback address is private, so each callback ends as a dead letter
  const { cni_verso_b64: _, ...job } = await jobOf(5, { citizen_code: 'CIT-1', callback_url: 'https://10.0.0.1/' })
  const { body } = await verification.submitBatch(Array.from({ length: 5 }, () => job))
  batch = body.batch_id
  for (const number of [1, 2, 3, 4, 5])
    expect(await postExpression(system, { text: `The bus number ${number} is late`, domain_hint: 'transport' })).toMatchObject({
      status: 201,
    })
  await verification.untilFinished(body.job_ids)
  await importDelegations()
  await saveScenarios()
  moment = new Date().toISOString()
  const root = async () => (await fetch(`${system.rest.content}/api/v1/nodes/root`)).status
  await vi.waitFor(async () => expect(await root()).toBe(200), { timeout: 60_000 })
})
afterAll(() => system?.stop())

/** Five delegations from the citizen, one of which changes four times, and five to the citizen. */
async function importDelegations(): Promise<void> {
  const lines = [1, 2, 3, 4, 5].flatMap((number) => [
    { id: `given-${number}`, delegator: 'CIT-1', delegate: `CIT-${number + 1}` },
    { id: `received-${number}`, delegator: `CIT-${number + 1}`, delegate: 'CIT-1' },
  ])
  const file = lines.map((line) => JSON.stringify({ ...line, group_id: 'north', starts_at: '2026-01-01T00:00:00Z' })).join('\n')
  const mutation = 'mutation ($file: String!) { importDelegations(input: { file: $file, format: NDJSON, dryRun: false }) { created } }'
  const { data, error } = await urqlOf('administrator').mutation(mutation, { file })
  expect([error, data]).toMatchObject([undefined, { importDelegations: { created: 10 } }])
  const [first] = lines
  for (const year of [2031, 2032, 2033, 2034]) {
    const changed = { ...first, group_id: 'north', starts_at: '2026-01-01T00:00:00Z', ends_at: `${year}-01-01T00:00:00Z` }
    const change = await urqlOf('administrator').mutation(mutation, { file: JSON.stringify(changed) })
    expect([change.error, change.data]).toMatchObject([undefined, { importDelegations: { created: 0 } }])
  }
}

async function saveScenarios(): Promise<void> {
  const mutation = 'mutation ($name: String!) { saveDelegationScenario(input: { name: $name, scenario: {} }) { scenario { name } } }'
  for (const name of ['1', '2', '3', '4', '5']) {
    const { data, error } = await urqlOf('administrator').mutation(mutation, { name })
    expect([error, data]).toMatchObject([undefined, { saveDelegationScenario: { scenario: { name } } }])
  }
}

const headersOf = (as: List['as']): Readonly<Record<string, string>> =>
  as === 'service' ? { 'x-service-api-key': system.apiKey } : { authorization: `Bearer ${token}` }
function urqlOf(as: List['as']): Client {
  return new Client({
    url: system.graphqlUrl,
    preferGetMethod: false,
    fetchOptions: () => ({ headers: headersOf(as) }),
    exchanges: [fetchExchange],
  })
}

const Page = z.object({
  edges: z.array(z.object({ cursor: z.string() })),
  pageInfo: z.object({ startCursor: z.string(), endCursor: z.string(), hasNextPage: z.boolean(), hasPreviousPage: z.boolean() }),
  totalCount: z.int().optional(),
})
/** The list in a response, at any depth. */
function listIn(data: unknown): unknown {
  const [object] = [data].flat()
  const { of: inner, list } = z.object({ of: z.unknown(), list: z.unknown() }).partial().parse(object)
  return list === undefined ? listIn(inner) : list
}
/** @param page - arguments, such as `(first: 2)` */
async function pageOf({ within, as }: List, page: string, more = ''): Promise<z.output<typeof Page>> {
  const query = within(`${page} { edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } ${more} }`)
  const { data, error } = await urqlOf(as).query(query, { batch })
  expect(error).toBeUndefined()
  return Page.parse(listIn(data))
}

it('this file covers every list of the graph', () => {
  expect(Object.keys(lists).sort()).toEqual([...limits.first.keys()].sort())
})

const limited = (['first', 'last'] as const).flatMap((argument) => [...limits[argument]].map(([place, max]) => ({ place, argument, max })))
it.each(limited)('$place refuses a `$argument` above $max with an out_of_range entry', async ({ place, argument, max }) => {
  const list = listAt(place)
  const readWith = (count: number) => urqlOf(list.as).query(list.within(`(${argument}: ${count}) { nodes { __typename } }`), { batch })
  // the limit comes before the operation cost, whatever the count is
  for (const count of [max + 1, 1_000_000]) {
    const { data, error } = await readWith(count)
    expect(error?.graphQLErrors.map(({ extensions }) => extensions)).toMatchObject([
      { code: 'BAD_USER_INPUT', entries: [{ code: 'out_of_range', path: [argument], constraint: { min: 1, max } }] },
    ])
    // the object that has the list is not null
    expect(listIn(data)).toBeNull()
  }
})
const listAt = (place: string): List => lists[place] ?? administrator(() => '')

/** A platform without faults has no dead letters, one without toxic texts no cases of moderation, and one whose taxonomy was never edited has one version of it. */
const short = [
  'Query.deadLetters',
  'Query.moderationDecisions',
  'Query.moderationQueue',
  'Query.taxonomyCorrections',
  'Query.taxonomyReclassifications',
  'Query.taxonomyVersions',
]
const bothWays = Object.entries(lists).filter(([place]) => limits.last.has(place) && !short.includes(place))
describe.each(bothWays)('%s with entries', (_, list) => {
  it('is paged forwards and backwards through the same pages', async () => {
    const first = await pageOf(list, '(first: 2)')
    const second = await pageOf(list, `(first: 2, after: ${JSON.stringify(first.pageInfo.endCursor)})`)
    const back = await pageOf(list, `(last: 2, before: ${JSON.stringify(second.pageInfo.startCursor)})`)
    expect(second.edges).not.toEqual(first.edges)
    expect(back.edges).toEqual(first.edges)
    expect([first.pageInfo.hasPreviousPage, second.pageInfo.hasPreviousPage, back.pageInfo.hasNextPage]).toEqual([false, true, true])
    expect((await pageOf(list, '(last: 1)')).pageInfo.hasNextPage).toBe(false)
  })
})

it.each(bothWays)('%s returns the total count on every page', async (place, list) => {
  const [one, two] = [await pageOf(list, '(first: 1)', 'totalCount'), await pageOf(list, '(first: 2)', 'totalCount')]
  expect(one.totalCount).toBeGreaterThan(2)
  const grown = (two.totalCount ?? 0) - (one.totalCount ?? 0)
  // demonstration data may still be loading
  if (place.endsWith('xpressions')) expect(grown).toBeGreaterThanOrEqual(0)
  // each read of the trail adds a record to it
  else expect(grown).toBeLessThanOrEqual(place === 'Query.auditTrail' ? 2 : 0)
})

it('Apollo Client merges an earlier page before a later one', async () => {
  const link = new HttpLink({ uri: system.graphqlUrl, headers: { ...headersOf('administrator') } })
  const client = new ApolloClient({ cache: new InMemoryCache({ typePolicies, possibleTypes }), link })
  const query = gql`query ($first: Int, $after: String, $last: Int, $before: String) {
    delegations(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`
  const idsIn = (data: unknown) => Shown.parse(data).delegations.edges.map(({ node }) => node.id)
  const all = idsIn((await client.query({ query, variables: { first: 6 }, fetchPolicy: 'no-cache' })).data)
  const before = Shown.parse((await client.query({ query, variables: { first: 4 }, fetchPolicy: 'no-cache' })).data).delegations.edges[3]
  const watched = client.watchQuery({ query, variables: { last: 2, before: before?.cursor } })
  const listening = watched.subscribe(() => undefined)
  const shown = () => watched.getCurrentResult()
  await expect.poll(() => shown().loading).toBe(false)
  expect(idsIn(shown().data)).toEqual(all.slice(1, 3))
  await watched.fetchMore({ variables: { last: 1, before: Shown.parse(shown().data).delegations.edges[0]?.cursor } })
  await expect.poll(() => idsIn(shown().data)).toEqual(all.slice(0, 3))
  listening.unsubscribe()
})
const Shown = z.object({ delegations: z.object({ edges: z.array(z.object({ cursor: z.string(), node: z.object({ id: z.string() }) })) }) })
