import { afterAll, beforeAll, expect, it } from 'vitest'
import { Forbidden } from '../../../foundation/fault.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import { startPrintedGraph } from '../../support/gateway/printed-graph.ts'
import { ask, type RunningExecutor } from '../../support/gateway/town.ts'

const existingId = '01a202cb-1cb4-75c5-b919-cc09ae624504'
const deletedId = '01a202cb-1cb4-75c5-b919-cc09ae624505'
const water = { id: 'water', slug: 'water', labels: [{ lang: 'fr', text: 'Eau' }] }

let running: RunningExecutor
beforeAll(async () => {
  const expression = ({ id }: { readonly id: string }) => (id === existingId ? { id, text: 'Plus d’eau', status: 'INDEXED' } : null)
  running = await startPrintedGraph({
    classification: {
      Expression: { __resolveReference: expression },
      Query: { expression: (_: unknown, args: { id: string }) => expression(args) },
    },
    exploration: { Domain: { __resolveReference: ({ id }: { readonly id: string }) => (id === water.id ? water : null) } },
    content: {
      ContentNode: {
        __resolveReference: ({ tenantId, id }: { readonly tenantId: string; readonly id: string }) =>
          id === 'root' ? { tenantId, id, title: `${id} of ${tenantId}` } : null,
      },
    },
    verification: {
      VerificationJob: {
        __resolveReference: ({ id }: { readonly id: string }) => ({ id }),
        status: () => {
          throw new Forbidden('This needs a service key')
        },
      },
      VerificationBatch: {
        __resolveReference: () => {
          throw new Forbidden('This needs a service key')
        },
      },
    },
  })
})
afterAll(() => running[Symbol.asyncDispose]())

const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename nodeId
  ... on Expression { text } ... on Domain { slug labels { text } } ... on ContentNode { title } } }`

it('an entity has a nodeId, and node(id:) returns it', async () => {
  const first = await ask(running, `{ expression(id: "${existingId}") { nodeId } }`)
  const nodeId = nodeIdOf('Expression', existingId)
  expect(first.data).toEqual({ expression: { nodeId } })
  const again = await ask(running, 'query ($id: ID!) { node(id: $id) { nodeId ... on Expression { id text } } }', { id: nodeId })
  expect(again).toEqual({ data: { node: { nodeId, id: existingId, text: 'Plus d’eau' } } })
})

it('nodes returns entities of several components in the order of the ids, and null for missing ones', async () => {
  const ids = [
    nodeIdOf('Domain', 'water'),
    nodeIdOf('Expression', deletedId),
    nodeIdOf('ContentNode', 'default', 'root'),
    nodeIdOf('Expression', existingId),
  ]
  const { data, errors } = await ask(running, nodes, { ids })
  expect(errors).toBeUndefined()
  expect(data?.nodes).toEqual([
    { __typename: 'Domain', nodeId: ids[0], slug: 'water', labels: [{ text: 'Eau' }] },
    null,
    { __typename: 'ContentNode', nodeId: ids[2], title: 'root of default' },
    { __typename: 'Expression', nodeId: ids[3], text: 'Plus d’eau' },
  ])
})

it.each([
  ['that is not base64', 'nonsense'],
  ['empty', ''],
  ['of an unknown type', nodeIdOf('Planet', 'earth')],
  ['of a type named like an object property', nodeIdOf('constructor', 'x')],
  ['of a type that is not an entity', nodeIdOf('PageInfo', 'x')],
  ['of a key that is too short', nodeIdOf('ContentNode', 'default')],
  ['of a key that is too long', nodeIdOf('Domain', 'd'.repeat(501))],
  ['of a key with U+0000', nodeIdOf('Domain', 'a\0')],
  ['of an expression with a malformed id', nodeIdOf('Expression', 'x')],
  ['written in another way', Buffer.from('[ "Domain","water"]').toString('base64url')],
  ['of a node that its tenant does not have', nodeIdOf('ContentNode', 'default', 'x')],
  ['of a domain that there is not', nodeIdOf('Domain', 'fire')],
  ['of megabytes', 'x'.repeat(1_000_000)],
])('an id %s is null, without an error', async (_, id) => {
  expect(await ask(running, nodes, { ids: [id] })).toEqual({ data: { nodes: [null] } })
})

it('more than a hundred ids are refused, naming the argument', async () => {
  const { data, errors } = await ask(running, nodes, { ids: Array.from({ length: 101 }, () => 'x') })
  expect(data).toEqual({ nodes: null })
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', entries: [{ code: 'too_many', path: ['ids'], constraint: { max: 100 } }] } },
  ])
})

it('a field that the caller may not read is refused as on any other path', async () => {
  const { data, errors } = await ask(running, 'query ($id: ID!) { node(id: $id) { ... on VerificationJob { status } } }', {
    id: nodeIdOf('VerificationJob', existingId),
  })
  expect([data, errors?.[0]?.extensions.code]).toEqual([{ node: null }, 'FORBIDDEN'])
})

it('an entity that the caller may not resolve is refused at its own path, beside the others', async () => {
  const ids = [nodeIdOf('Domain', 'water'), nodeIdOf('VerificationBatch', existingId), nodeIdOf('Domain', 'fire')]
  const { data, errors } = await ask(running, 'query ($ids: [ID!]!) { nodes(ids: $ids) { nodeId } }', { ids })
  expect(data).toEqual({ nodes: [{ nodeId: ids[0] }, null, null] })
  expect(errors).toMatchObject([{ message: 'This needs a service key', path: ['nodes', 1], extensions: { code: 'FORBIDDEN' } }])
})

it('nodeId alone still checks that the entity exists', async () => {
  const query = 'query ($deletedId: ID!, $there: ID!) { deletedId: node(id: $deletedId) { nodeId } there: node(id: $there) { nodeId } }'
  const [missing, there] = [nodeIdOf('Expression', deletedId), nodeIdOf('Expression', existingId)]
  expect(await ask(running, query, { deletedId: missing, there })).toEqual({ data: { deletedId: null, there: { nodeId: there } } })
})
