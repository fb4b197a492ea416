/** Operation id and tag of an operation; generated clients use them as names. */
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
  'GET /citizens/erasures/:erasure_id/certificate': 'getErasureCertificate',
  'GET /api/v1/map': 'getMap',
  'GET /api/v1/domains': 'listDomains',
  'GET /api/v1/stats': 'getStatistics',
  'POST /api/v1/expressions': 'ingestExpression',
  'GET /api/v1/expressions': 'exportExpressions',
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

/** The first matching pattern decides the tag. */
const tags: readonly (readonly [tag: string, beginning: RegExp])[] = [
  ['Health', /^\/(?:health|version|queue)/],
  ['Pages', /^\/(?:$|docs|openapi|asyncapi)/],
  ['Jobs', /^\/(?:jobs|review)/],
  ['Citizens', /^\/citizens/],
  ['Sessions', /^\/auth/],
  ['Delegations', /^\/delegations/],
  ['Administration', /^\/api\/v1\/admin/],
  ['Expressions', /^\/(?:ws|api\/v1\/expressions)/],
  ['Exploration', /^\/api\/v1\/(?:map|domains|stats)/],
  ['Content', /^\//],
]

export const tagDescriptions: Readonly<Record<string, string>> = {
  Health: 'Health, version and load of the service',
  Pages: 'Pages and documents for a browser',
  Jobs: 'Verifications: submit, poll, acknowledge',
  Citizens: 'Erasure of citizens',
  Sessions: 'Sessions of administrators',
  Delegations: 'Rights of citizens to act for others',
  Administration: 'Operations that require an administrator or a service key',
  Expressions: 'Ingestion and stream of expressions',
  Exploration: 'The map and its statistics',
  Content: 'The content tree',
}

/** @param path - with parameters, such as `/jobs/:job_id`   @throws {Error} for an operation without a name */
export function operationName(method: string, path: string): OperationName {
  const id = names[`${method} ${path}`]
  if (id === undefined) throw new Error(`${method} ${path} has no name in operation-names.ts`)
  const [tag = ''] = tags.find(([, beginning]) => beginning.test(path)) ?? []
  return { id, tag }
}
