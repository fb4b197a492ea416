import { readFileSync } from 'node:fs'
import { Supergraph } from '@apollo/federation-internals'
import { getNamedType, isIntrospectionType, isNonNullType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'

const supergraph = Supergraph.build(readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'))
const schema = supergraph.apiSchema().toGraphQLJSSchema()
const types = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !isIntrospectionType(type))
  .filter(isObjectType)

/** Types with a key in some component: their fields describe one object wherever it appears. */
const entities = new Set(
  [...supergraph.schema.objectTypes()]
    .filter((type) => type.appliedDirectivesOf('join__type').some((applied) => applied.arguments().key))
    .map(({ name }) => name),
)
/** In these payloads `id` is that of the deleted object, not of the payload. */
const deletions = ['DeleteContentNodePayload', 'WithdrawExpressionPayload']
/** Types that no component joins, but whose fields depend on their id alone. */
const withIdentity = ['CitizenErasure', 'ErasureCertificateFile', 'File', 'ModerationCase', 'RemovedContent', 'ReviewImageFile']

describe('the graph, for caches that store objects by type and id', () => {
  it('has a field id only where it identifies its object', () => {
    const others = types.filter(
      (type) => type.getFields().id !== undefined && !entities.has(type.name) && !withIdentity.includes(type.name),
    )
    expect(others.map(({ name }) => name)).toEqual(deletions)
  })
})

/** Fields that name an entity by its id beside an edge, or where there is no edge. */
const ids = [
  // beside the edges `parent` and `ancestors`, for clients that walk whole trees
  'ContentNode.parentId',
  'ContentNode.path',
  // beside `tenant`: a part of the key
  'ContentNode.tenantId',
  // no edge leads to a deleted object, and a client that restores it names its tenant
  'RemovedContent.contentId',
  'RemovedContent.tenantId',
  // no edge leads to a deleted object
  'ExpressionAdded.withdrawnId',
  // the job is deleted before the outcome, and a GROUP_ADMIN may not read it
  'CitizenOutcome.jobId',
  // a state of the past, which caches must not merge with the delegation
  'DelegationState.delegationId',
  // as saved: the delegation may be revoked, or of a group that the reader does not administer
  'DelegationScenario.removedIds',
  // a row of an export has the members of the expression itself, and no edge loads it
  'ExpressionRow.expressionId',
  // result of a mutation, for caches and for the next mutation
  'AcknowledgeVerificationResultsPayload.acknowledgedJobIds',
  'ContentImportSummary.deletedIds',
  'ContentImportSummary.tenantId',
  'DeleteContentNodePayload.tenantId',
  'EraseCitizenPayload.erasedJobIds',
  // of another component, for a decision by hand
  'RemainingCitizenData.expressionIds',
  'PurgeContentNodePayload.purgedId',
  'RedriveDeadLettersPayload.redrivenIds',
  'RestoreContentNodePayload.restoredId',
  'ReleaseReviewPayload.jobId',
  'StartContentImportPayload.importId',
  'LivenessChallenge.nonce',
  'ChipChallenge.nonce',
]

/** A subscription event has one root field: no other field becomes null with it. */
const subscription = schema.getSubscriptionType()?.name

it('stays non-null around a field that refuses its arguments', () => {
  const propagating = types
    .filter(({ name }) => name !== subscription)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ ...field, place: `${type.name}.${field.name}` })))
    .filter(({ args, type }) => args.length > 0 && isNonNullType(type))
  expect(propagating.map(({ place }) => place)).toEqual([])
})

it('refers to an entity by an edge, not by its id', () => {
  const references = types.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === 'ID' && !/^(id|nodeId|.*NodeIds?)$/.test(field.name))
      .map((field) => `${type.name}.${field.name}`),
  )
  expect(references.sort()).toEqual(ids.sort())
})

it('has edges with a cursor and a node, nodes and pageInfo in every connection', () => {
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
