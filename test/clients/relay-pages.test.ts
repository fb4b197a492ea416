import { getNamedType, isObjectType } from 'graphql'
import { createOperationDescriptor, Environment, fetchQuery, getSingularSelector, Network, RecordSource, Store } from 'relay-runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lists } from '../../packages/civigraph-client/src/caches/generated/schema.ts'
import { getDataID } from '../../packages/civigraph-client/src/caches/relay.ts'
import { clientSchema } from '../support/clients/client-schema.ts'
import { executePaged } from '../support/clients/paged-graph.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'

const query = clientSchema.getQueryType()?.getFields() ?? {}
/** Arguments that a list requires. */
const required: Readonly<Record<string, string>> = {
  delegationsAt: 'at: "2026-01-01T00:00:00Z"',
  searchExpressions: 'input: { text: "x" }',
  similarExpressions: 'id: "x"',
}

/** Relay joins lists whose type is called a connection. */
const connections = Object.keys(lists.Query ?? {}).filter((field) => {
  const type = getNamedType(query[field]?.type)
  return type?.name.endsWith('Connection')
})
/** the second page repeats an item; one without a node id cannot be recognised */
const isIdentified = (field: string): boolean => {
  const list = getNamedType(query[field]?.type)
  const node = isObjectType(list) ? getNamedType(list.getFields().nodes?.type) : undefined
  return isObjectType(node) && node.getFields().nodeId !== undefined
}

const texts = connections.flatMap((field) => [
  `fragment page_${field} on Query @argumentDefinitions(first: { type: "Int", defaultValue: 3 }, after: { type: "String" })
    @refetchable(queryName: "page_${field}_Query") {
    list: ${field}(${required[field] ?? ''} first: $first, after: $after) @connection(key: "page_${field}_list") { edges { cursor node { __typename } } }
  }`,
])

let artifacts: RelayArtifacts
beforeAll(() => {
  artifacts = clientArtifacts(texts)
})
afterAll(() => artifacts[Symbol.dispose]())

interface Shown {
  readonly list: { readonly edges: readonly unknown[]; readonly pageInfo: { readonly hasNextPage: boolean } }
}

it.each(connections)('joins the pages of %s in Relay, each item once', async (field) => {
  const network = Network.create(async ({ text }, variables) => {
    const { data, errors } = await executePaged(String(text), variables)
    if (errors !== undefined) throw errors[0]
    return JSON.parse(JSON.stringify({ data }))
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID })
  const operation = await artifacts.of(`page_${field}_Query`)
  const shown = async (): Promise<Shown> => {
    const { data } = environment.lookup(createOperationDescriptor(operation, {}).fragment)
    const selector = getSingularSelector(await artifacts.fragment(`page_${field}`), data) ?? expect.fail('no fragment')
    return environment.lookup(selector).data as unknown as Shown
  }
  await fetchQuery(environment, operation, {}).toPromise()
  expect((await shown()).list).toMatchObject({ edges: { length: 3 }, pageInfo: { hasNextPage: true } })
  await fetchQuery(environment, operation, { after: '3' }).toPromise()
  expect((await shown()).list).toMatchObject({ edges: { length: isIdentified(field) ? 5 : 6 }, pageInfo: { hasNextPage: false } })
})
