/** What a person calls an operation, and under what they look for it: clients that are generated from the document have these names. */
export interface OperationName {
  readonly id: string
  readonly tag: string
}

const names: Readonly<Record<string, string>> = {
  'GET /': 'showPage',
  'GET /health': 'getHealth',
  'GET /health/live': 'getLiveness',
  'GET /health/ready': 'getReadiness',
  'GET /openapi.json': 'getOpenApi',
  'GET /asyncapi.json': 'getAsyncApi',
  'GET /docs': 'showDocumentation',
  'GET /version': 'getVersion',
  'POST /jobs/submit': 'submitJob',
  'POST /jobs/submit-batch': 'submitBatch',
  'GET /jobs/results': 'listResults',
  'POST /jobs/ack': 'acknowledgeResults',
  'GET /jobs/:job_id': 'getJob',
  'GET /queue': 'getQueueMetrics',
  'GET /review/images/:token': 'getReviewImage',
  'GET /api/v1/map': 'getMap',
  'GET /api/v1/domains': 'listDomains',
  'GET /api/v1/stats': 'getStatistics',
  'POST /api/v1/expressions': 'ingestExpression',
  'GET /ws': 'streamExpressions',
  'POST /api/v1/admin/sync-taxonomies': 'synchroniseTaxonomies',
  'POST /auth/login': 'login',
  'GET /auth/me': 'getProfile',
  'GET /delegations': 'listDelegations',
  'GET /api/v1/nodes/root': 'getRoot',
  'GET /api/v1/nodes/:node_id': 'getNode',
  'POST /api/v1/admin/nodes': 'createNode',
  'POST /api/v1/admin/import': 'importNodes',
  'GET /api/v1/nodes/:node_id/full': 'getSubtree',
  'GET /nodes/:node_id/full': 'getSubtreeByShortPath',
  'GET /api/v1/export': 'exportNodes',
  'GET /api/v1/pdf': 'getPdf',
  'GET /api/v1/nodes/:node_id/pdf': 'getSubtreePdf',
}

/** The first whose paths begin so. */
const tags: readonly (readonly [tag: string, beginning: RegExp])[] = [
  ['Health', /^\/(?:health|version|queue)/],
  ['Pages', /^\/(?:$|docs|openapi|asyncapi)/],
  ['Jobs', /^\/(?:jobs|review)/],
  ['Sessions', /^\/auth/],
  ['Delegations', /^\/delegations/],
  ['Administration', /^\/api\/v1\/admin/],
  ['Expressions', /^\/(?:ws|api\/v1\/expressions)/],
  ['Exploration', /^\/api\/v1\/(?:map|domains|stats)/],
  ['Content', /^\//],
]

export const tagDescriptions: Readonly<Record<string, string>> = {
  Health: 'how the service is, and what runs',
  Pages: 'for a person with a browser',
  Jobs: 'verifications: submit, poll, acknowledge',
  Sessions: 'of administrators',
  Delegations: 'who may act for whom',
  Administration: 'what needs an administrator or a key',
  Expressions: 'what citizens say, as it comes',
  Exploration: 'the map and its statistics',
  Content: 'the tree and what is in it',
}

/** @param path - as routes have it: `/jobs/:job_id`   @throws {Error} for an operation without a name: it cannot be documented */
export function operationName(method: string, path: string): OperationName {
  const id = names[`${method} ${path}`]
  if (id === undefined) throw new Error(`${method} ${path} has no name in operation-names.ts`)
  const [tag = ''] = tags.find(([, beginning]) => beginning.test(path)) ?? []
  return { id, tag }
}
