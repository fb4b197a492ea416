import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { graphql, printSchema } from 'graphql'
import { type ConcreteRequest, Environment, fetchQuery, Network, RecordSource, Store } from 'relay-runtime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { getDataID } from '../../docs/clients/relay.ts'
import { nodeIdOf } from '../../subgraphs/foundation/graphql/node-id.ts'
import { clientSchema } from '../support/clients/client-schema.ts'

const config = readFileSync(new URL('../../docs/clients/relay.config.json', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'relay-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a page of a client says, for the compiler. */
const page = `const { graphql } = require('relay-runtime')
graphql\`query pageDomainQuery($id: ID!) { domain(id: $id) { id slug } }\`
graphql\`query pageExpressionQuery { expression(id: "e") { text classification { domain { domain { slug } } } } }\`
graphql\`fragment page_domain on Domain @refetchable(queryName: "pageAgainQuery") { slug labels { text } }\`
`

let compiled: string
beforeAll(() => {
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/page.js'), page)
  writeFileSync(join(folder, 'schema.graphql'), printSchema(clientSchema))
  writeFileSync(join(folder, 'relay.config.json'), config)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compiler: string = createRequire(import.meta.url)('relay-compiler')
  const { status, stderr, stdout } = spawnSync(compiler, ['relay.config.json'], { cwd: folder, encoding: 'utf8' })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  compiled = join(folder, 'src/__generated__')
})

const artifact = async (name: string): Promise<ConcreteRequest> =>
  (await import(pathToFileURL(join(compiled, `${name}.graphql.js`)).href)).default

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
  await fetchQuery(environment, await artifact('pageDomainQuery'), { id: 'water' }).toPromise()
  await fetchQuery(environment, await artifact('pageExpressionQuery'), {}).toPromise()
  const records = environment.getStore().getSource()
  expect(records.getRecordIDs().filter((id) => records.get(id)?.__typename === 'Domain')).toEqual([nodeId])
  // the later answer is what both pages show
  expect(records.get(nodeId)?.slug).toBe('water')
  await fetchQuery(environment, await artifact('pageAgainQuery'), { nodeId }).toPromise()
  expect(records.get(nodeId)?.slug).toBe('eau')
  expect(warned.flatMap(({ mock }) => mock.calls)).toEqual([])
})
