import { readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { getNamedType, isIntrospectionType, isNonNullType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'

const supergraph = Supergraph.build(readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'))
const schema = supergraph.apiSchema().toGraphQLJSSchema()
const types = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !isIntrospectionType(type))
  .filter(isObjectType)

/** Types with a key in some component: their fields are those of one thing, wherever it is met. */
const entities = new Set(
  [...supergraph.schema.objectTypes()]
    .filter((type) => type.appliedDirectivesOf('join__type').some((applied) => applied.arguments().key))
    .map(({ name }) => name),
)
/** They say what is gone: `id` is that of what was deleted, not of the answer. */
const deletions = ['DeleteContentNodePayload', 'WithdrawExpressionPayload']
/** Not joined by anybody, and what they hold is of their id alone all the same. */
const withIdentity = ['File', 'RemovedContent', 'ReviewImageFile']

describe('the graph, for caches that keep things by type and id', () => {
  it('has an id only where it is the identity of everything beside it', () => {
    const others = types.filter(
      (type) => type.getFields().id !== undefined && !entities.has(type.name) && !withIdentity.includes(type.name),
    )
    expect(others.map(({ name }) => name)).toEqual(deletions)
  })
})

/** What names an entity by its id although there is an edge, or names none. */
const ids = [
  // beside the edges `parent` and `ancestors`, for whoever walks whole trees
  'ContentNode.parentId',
  'ContentNode.path',
  // beside `tenant`: a part of the key
  'ContentNode.tenantId',
  // no edge leads to what was deleted, and who restores it names its tenant
  'RemovedContent.contentId',
  'RemovedContent.tenantId',
  // no edge leads to what is no more
  'ExpressionAdded.withdrawnId',
  // of what a mutation has done, for caches and for the next mutation
  'AcknowledgeVerificationResultsPayload.acknowledgedJobIds',
  'ContentImportSummary.deletedIds',
  'ContentImportSummary.tenantId',
  'DeleteContentNodePayload.tenantId',
  'EraseCitizenPayload.erasedJobIds',
  'PurgeContentNodePayload.purgedId',
  'RedriveDeadLettersPayload.redrivenIds',
  'RestoreContentNodePayload.restoredId',
  'ReleaseReviewPayload.jobId',
  'StartContentImportPayload.importId',
  'LivenessChallenge.nonce',
  'ChipChallenge.nonce',
]

/** An event of a subscription has one root, so that there is nothing beside it to empty. */
const subscription = schema.getSubscriptionType()?.name

it('leaves what holds a field as it is where the field refuses its arguments', () => {
  const emptying = types
    .filter(({ name }) => name !== subscription)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ ...field, place: `${type.name}.${field.name}` })))
    .filter(({ args, type }) => args.length > 0 && isNonNullType(type))
  expect(emptying.map(({ place }) => place)).toEqual([])
})

it('names an entity by an edge to it, not by its id', () => {
  const named = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === 'ID' && !/^(id|nodeId|.*NodeIds?)$/.test(field.name))
      .map((field) => `${type.name}.${field.name}`),
  )
  expect(named.sort()).toEqual(ids.sort())
})

it('has edges with a cursor and a node, nodes and pageInfo in whatever gives a page', () => {
  for (const type of types.filter(({ name }) => name !== 'PageInfo')) {
    const { pageInfo, edges, nodes } = type.getFields()
    if (pageInfo === undefined && edges === undefined && !type.name.endsWith('Connection')) continue
    expect([type.name, String(pageInfo?.type)]).toEqual([type.name, 'PageInfo!'])
    const edge = edges && getNamedType(edges.type)
    if (!isObjectType(edge)) throw new Error(`${type.name} has no edges`)
    const { cursor, node } = edge.getFields()
    expect([edge.name, String(cursor?.type), String(nodes?.type)]).toEqual([
      edge.name,
      'String!',
      `[${String(node?.type)}!]!`.replace('!!', '!'),
    ])
  }
})
