import { readFileSync } from 'node:fs'
import { graphql, printSchema } from 'graphql'
import { Environment, fetchQuery, Network, RecordSource, Store } from 'relay-runtime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { getDataID } from '../../docs/clients/relay.ts'
import { nodeIdOf } from '../../subgraphs/foundation/graphql/node-id.ts'
import { clientSchema } from '../support/clients/client-schema.ts'
import { type RelayArtifacts, relayArtifacts } from '../support/clients/relay-artifacts.ts'

const config = readFileSync(new URL('../../docs/clients/relay.config.json', import.meta.url), 'utf8')

/** What a page of a client says, for the compiler. */
const page = `const { graphql } = require('relay-runtime')
graphql\`query pageDomainQuery($id: ID!) { domain(id: $id) { id slug } }\`
graphql\`query pageExpressionQuery { expression(id: "e") { text classification { domain { domain { slug } } } } }\`
graphql\`fragment page_domain on Domain @refetchable(queryName: "pageAgainQuery") { slug labels { text } }\`
`

let artifacts: RelayArtifacts
beforeAll(() => {
  artifacts = relayArtifacts(page, printSchema(clientSchema), config)
})
afterAll(() => artifacts[Symbol.dispose]())

it('keeps an entity once, whichever query it came by, and finds it again by its node id', async () => {
  const warned = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]
  const nodeId = nodeIdOf('Domain', 'water')
  const domain = { __typename: 'Domain', id: 'water', nodeId, slug: 'eau', labels: [{ text: 'Eau' }] }
  const rootValue = {
    domain,
    expression: {
      nodeId: nodeIdOf('Expression', 'e'),
      text: 'Plus d’eau',
      classification: { domain: { domain: { ...domain, slug: 'water' } } },
    },
    node: ({ id }: { readonly id: string }) => (id === nodeId ? domain : null),
  }
  const network = Network.create(async ({ text }, variableValues) => {
    const { data, errors } = await graphql({ schema: clientSchema, source: String(text), variableValues, rootValue })
    if (errors !== undefined) throw errors[0]
    return JSON.parse(JSON.stringify({ data }))
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()), getDataID })
  await fetchQuery(environment, await artifacts.of('pageDomainQuery'), { id: 'water' }).toPromise()
  await fetchQuery(environment, await artifacts.of('pageExpressionQuery'), {}).toPromise()
  const records = environment.getStore().getSource()
  expect(records.getRecordIDs().filter((id) => records.get(id)?.__typename === 'Domain')).toEqual([nodeId])
  // the later answer is what both pages show
  expect(records.get(nodeId)?.slug).toBe('water')
  await fetchQuery(environment, await artifacts.of('pageAgainQuery'), { nodeId }).toPromise()
  expect(records.get(nodeId)?.slug).toBe('eau')
  expect(warned.flatMap(({ mock }) => mock.calls)).toEqual([])
})
