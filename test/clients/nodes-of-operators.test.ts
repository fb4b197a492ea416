import { randomUUID } from 'node:crypto'
import { parse } from 'graphql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cachingClients, type GraphEndpoint } from '../support/clients/caching-clients.ts'
import { groupAdminToken, tokenOf } from '../support/clients/content-client.ts'
import { clientArtifacts, type RelayArtifacts } from '../support/clients/relay-artifacts.ts'
import { embeddedUrl } from '../support/engines/databases.ts'
import { type System, startPlatform } from '../support/processes/platform.ts'
import { startProcess } from '../support/processes/platform-process.ts'

/** Fields of dead letters and service keys, selected in lists and by node id. */
const fields = '__typename nodeId ... on DeadLetter { id kind reason } ... on ServiceKey { id name scopes source }'
const operations: Readonly<Record<string, string>> = {
  pageListsQuery: `query pageListsQuery {
    deadLetters(kind: EXPRESSION, first: 5) { nodes { nodeId id } } serviceKeys(first: 5) { nodes { nodeId id name } } }`,
  pageNodeQuery: `query pageNodeQuery($id: ID!) { node(id: $id) { ${fields} } }`,
  pageNodesQuery: `query pageNodesQuery($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } }`,
}

let system: System
let artifacts: RelayArtifacts
let letter: string
let tokens: Readonly<Record<'super' | 'group', string>>
beforeAll(async () => {
  system = await startPlatform({ workers: ['exploration', 'classification'] })
  expect(await startProcess(['keys', 'create', 'kiosk', '--scope', 'votes:write'], system.env).exited).toBe(0)
  letter = await storeExpression()
  tokens = { super: await tokenOf(system), group: await groupAdminToken(system, 'north') }
  artifacts = clientArtifacts(Object.values(operations))
})
afterAll(async () => {
  artifacts?.[Symbol.dispose]()
  await system?.stop()
})

/** Stores a dead letter of an expression that could not be written. @returns its id */
async function storeExpression(): Promise<string> {
  const database = new pg.Client({ connectionString: system.env.DATABASE_URL ?? (await embeddedUrl(system.dataDir)) })
  await database.connect()
  try {
    const id = randomUUID()
    const statement = 'insert into expression_dead_letter (id, content, reason) values ($1, $2, $3)'
    await database.query(statement, [id, { document: { text: 7 } }, 'refused once'])
    return id
  } finally {
    await database.end()
  }
}

const graphAs = (headers: Readonly<Record<string, string>>): GraphEndpoint => ({
  url: system.graphqlUrl,
  headers,
  documentOf: (name) => parse(operations[name] ?? ''),
  artifactOf: (name) => artifacts.of(name),
})
const bearer = (role: keyof typeof tokens) => ({ authorization: `Bearer ${tokens[role]}` })

const Listed = z.object({ nodes: z.array(z.object({ nodeId: z.string(), id: z.string(), name: z.string().optional() })) })
const Lists = z.object({ deadLetters: Listed, serviceKeys: Listed })

describe.each(cachingClients)('dead letters and service keys in %s', (_, open) => {
  it('are returned to a super_admin by the node ids of the lists', async () => {
    const page = open(graphAs(bearer('super')))
    const { deadLetters, serviceKeys } = Lists.parse(await page.query('pageListsQuery', {}))
    const ids = [...deadLetters.nodes, ...serviceKeys.nodes].map(({ nodeId }) => nodeId)
    expect(ids.length).toBeGreaterThanOrEqual(2)
    const waits = { __typename: 'DeadLetter', id: letter, kind: 'EXPRESSION', reason: 'refused once' }
    const kiosk = { __typename: 'ServiceKey', name: 'kiosk', scopes: ['VOTES_WRITE'], source: 'DATABASE' }
    const [first = '', ...others] = ids
    expect(await page.query('pageNodeQuery', { id: first })).toMatchObject({ node: { nodeId: first, ...waits } })
    expect(await page.query('pageNodesQuery', { ids: [...others, 'x', first] })).toMatchObject({
      nodes: expect.arrayContaining([expect.objectContaining(kiosk), null, expect.objectContaining(waits)]),
    })
  })

  it('are null without an error for callers without the permission', async () => {
    const { deadLetters, serviceKeys } = Lists.parse(await open(graphAs(bearer('super'))).query('pageListsQuery', {}))
    const ids = [...deadLetters.nodes, ...serviceKeys.nodes].map(({ nodeId }) => nodeId)
    for (const headers of [bearer('group'), { 'x-service-api-key': system.apiKey }, {}]) {
      const page = open(graphAs(headers))
      expect(await page.query('pageNodesQuery', { ids })).toMatchObject({ nodes: ids.map(() => null) })
      for (const id of ids) expect(await page.query('pageNodeQuery', { id })).toMatchObject({ node: null })
    }
  })
})
