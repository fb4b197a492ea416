import { z } from 'zod'
import { NotFound } from '../../foundation/fault.ts'
import { healthRoutes } from '../route/health-route.ts'
import { operationRoute } from '../route/operation-route.ts'
import { checkedRequest, inputPlace } from '../route/request-rules.ts'
import type { Route } from '../route/route.ts'
import type { FileRoute, PagesRoute, RowWriter, UploadRoute } from '../route/streaming-routes.ts'
import { lineReader } from './node-line-reader.ts'
import { treeReader } from './node-tree-reader.ts'
import { linesWriter, listWriter, nestedWriter } from './node-writers.ts'
import { accessQuery, CreateNodeRequest, ImportedNode, ImportRequest, inputOf, nodeParams, tenantHeader, tenantPlace } from './requests.ts'
import {
  documentedSourceHeaders,
  ImportAnswer,
  NestedNode,
  Node,
  nodeFields,
  PlacedNode,
  pageInfo,
  placedData,
  placedFields,
  sourceData,
  sourceFields,
  sourceHeaders,
} from './responses.ts'
import { nodeRoute, rootRoute } from './walk-routes.ts'

export interface ContentLimits {
  readonly bodyBytes: number
  readonly importBytes: number
}

/** Returns the documented operations of component E and its extensions. */
export function contentRoutes(limits: ContentLimits): readonly Route[] {
  const [health, live, ready] = healthRoutes('content')
  const full = {
    summary: 'Returns a node and its descendants',
    description:
      'Returns the node with its descendants nested in `children`, or, as application/x-ndjson, the same nodes in pre-order, one per line.',
    params: nodeParams,
    writers: { 'application/json': nestedWriter, 'application/x-ndjson': linesWriter },
    answers: { 'application/json': NestedNode, 'application/x-ndjson': Node },
  }
  return [
    health,
    live,
    ready,
    rootRoute(),
    nodeRoute(),
    createRoute(limits),
    importRoute(limits),
    subtreeRoute({ ...full, path: '/api/v1/nodes/:node_id/full' }),
    subtreeRoute({ ...full, path: '/nodes/:node_id/full' }),
    subtreeRoute({
      path: '/api/v1/export',
      summary: 'Returns all nodes of a tenant, each after its parent',
      extension: true,
      writers: { 'application/json': listWriter, 'application/x-ndjson': linesWriter },
      answers: { 'application/json': z.array(Node), 'application/x-ndjson': Node },
      fileName: 'content',
    }),
    pdfRoute({ path: '/api/v1/pdf', summary: 'Returns the whole tree as PDF' }),
    nodePdfRoute(),
  ]
}

/** A part of a tree as PDF, also for the console. */
export const nodePdfRoute = (): FileRoute =>
  pdfRoute({ path: '/api/v1/nodes/:node_id/pdf', summary: 'Returns a node and its descendants as PDF', params: nodeParams })

function createRoute({ bodyBytes }: ContentLimits): Route {
  return operationRoute({
    method: 'POST',
    path: '/api/v1/admin/nodes',
    summary: 'Creates a node; its depth and path follow from its parent',
    description: 'A repeated request with the same external_id and content returns 200 and changes nothing.',
    caller: 'admin',
    wantsToken: true,
    header: tenantHeader,
    places: tenantPlace,
    body: CreateNodeRequest,
    bodyBytes,
    operation: `mutation RestCreateContentNode($input: CreateContentNodeInput!) {
      created: createContentNode(input: $input) { created node { ${placedFields} } }
    }`,
    variables: ({ header, body }) => ({ input: { ...inputOf(body), tenantId: header['x-tenant-id'] } }),
    from: z
      .object({ created: z.object({ created: z.boolean(), node: placedData }) })
      .transform(({ created: { created, node } }) => Object.defineProperty({ ...node }, isNew, { value: created })),
    answer: PlacedNode,
    status: { among: [200, 201], of: (node) => (isNew in node && node[isNew] === true ? 201 : 200) },
    answerHeaders: { Location: 'Path of the node with its descendants' },
    headers: ({ id }) => ({ location: `/api/v1/nodes/${encodeURIComponent(id)}/full` }),
  })
}

/** Marks a body with status 201; not serialised. */
const isNew = Symbol('created')

interface SubtreeOptions extends Pick<PagesRoute, 'path' | 'summary' | 'answers'> {
  readonly description?: string
  readonly extension?: true
  readonly params?: z.ZodObject
  readonly writers: Readonly<Record<string, () => RowWriter>>
  readonly fileName?: string
}

const SubtreePage = z.object({
  // nodes are passed through, so that their members keep their order
  found: z.object({ ...sourceData, nodes: z.array(z.unknown()), pageInfo }).nullable(),
})
/** All nodes of a page belong to one tenant: the first one names it. */
const TenantNodes = z.tuple([z.object({ tenant_id: z.string() })], z.unknown())

function subtreeRoute({ params, ...options }: SubtreeOptions): PagesRoute {
  const rules = { header: tenantHeader, query: accessQuery, ...(params && { params }) }
  return {
    kind: 'pages',
    method: 'GET',
    caller: 'anyone',
    answerHeaders: documentedSourceHeaders,
    ...options,
    rules,
    placeOf: inputPlace({ rules, places: tenantPlace }),
    vary: ['X-Tenant-Id'],
    operation: `query RestContentSubtree($tenant: ID, $id: ID, $first: Int!, $after: String) {
      found: contentSubtree(tenantId: $tenant, id: $id, first: $first, after: $after) {
        ${sourceFields} nodes { ${nodeFields} } pageInfo { hasNextPage endCursor }
      }
    }`,
    variablesOf(request) {
      const checked = checkedRequest(rules, request)
      return { tenant: checked.header['x-tenant-id'], id: checked.params.node_id }
    },
    pageVariables: (variables, after, first) => ({ ...variables, after, first }),
    pageOf(data, { id }) {
      const { found } = SubtreePage.parse(data)
      if (found === null) throw new NotFound(id === undefined ? 'This tenant has no content' : 'Node not found')
      const { nodes, pageInfo: info } = found
      const next = info.hasNextPage ? (info.endCursor ?? undefined) : undefined
      // trees of two tenants may have the same version
      const [{ tenant_id: tenant }] = TenantNodes.parse(nodes)
      const version = `${tenant} ${found.version}`
      return { rows: nodes, next, version, headers: sourceHeaders(found) }
    },
  }
}

const PdfAnswer = z.object({
  found: z
    .object({ ...sourceData, name: z.string(), file: z.object({ id: z.string(), bytes: z.int(), sha256: z.string() }).nullable() })
    .nullable(),
})
/** maximum wait for the file */
const pdfLimitMs = 300_000

function pdfRoute({ params, ...options }: Pick<FileRoute, 'path' | 'summary'> & { readonly params?: z.ZodObject }): FileRoute {
  const rules = { header: tenantHeader, query: accessQuery, ...(params && { params }) }
  return {
    kind: 'file',
    method: 'GET',
    caller: 'anyone',
    extension: true,
    answerHeaders: documentedSourceHeaders,
    description:
      'Title page, table of contents and bookmarks; tagged for assistive technology (PDF/UA-1). The bytes are the same as long as the tree does not change.',
    ...options,
    rules,
    placeOf: inputPlace({ rules, places: tenantPlace }),
    vary: ['X-Tenant-Id'],
    operation: `query RestContentPdf($tenant: ID, $id: ID) {
      found: contentPdf(tenantId: $tenant, id: $id) { ${sourceFields} name: fileName file { id bytes sha256 } }
    }`,
    variablesOf(request) {
      const { header, params: checked } = checkedRequest(rules, request)
      return { tenant: header['x-tenant-id'], id: checked.node_id }
    },
    fileOf(data, { id }) {
      const { found } = PdfAnswer.parse(data)
      if (found === null) throw new NotFound(id === undefined ? 'This tenant has no content' : 'Node not found')
      return found.file === null ? undefined : { ...found.file, name: found.name, headers: sourceHeaders(found) }
    },
    mediaType: 'application/pdf',
    timeoutMs: pdfLimitMs,
  }
}

const Started = z.object({ started: z.object({ importId: z.string() }) })
const Finished = z.object({ finished: z.object({ summary: ImportAnswer.nullable() }) })

const importRules = {
  header: tenantHeader,
  query: z.object({
    mode: z
      .enum(['upsert', 'replace'])
      .optional()
      .meta({ default: 'upsert', description: 'Treatment of existing nodes that the import does not contain' }),
    dry_run: z
      .enum(['true', 'false'])
      .optional()
      .meta({ type: 'boolean', enum: undefined, default: false, description: 'Whether to compute the result without changing the tree' }),
    confirm: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        ...{ type: 'boolean', enum: undefined, default: false },
        description: 'Must be true when mode=replace, the body contains no nodes and dry_run is false: the whole tree moves to the trash',
      }),
  }),
}

function importRoute({ importBytes }: ContentLimits): UploadRoute {
  return {
    kind: 'upload',
    method: 'POST',
    path: '/api/v1/admin/import',
    summary: 'Imports a whole tree, all or nothing; repeating it changes nothing',
    description:
      'Nodes in any order, with parents by parent_id, parent_external_id or nesting. Existing nodes that the import does not contain remain or, with mode=replace, move to the trash. A cycle, an unknown parent or a second root rejects the whole import.',
    caller: 'admin',
    wantsToken: true,
    rules: importRules,
    placeOf: inputPlace({ rules: importRules, places: tenantPlace }),
    bodyBytes: importBytes,
    variablesOf(request) {
      const { header, query } = checkedRequest(importRules, request)
      return {
        input: { tenantId: header['x-tenant-id'], mode: query.mode === 'replace' ? 'REPLACE' : 'UPSERT', dryRun: query.dry_run === 'true' },
      }
    },
    bodies: { 'application/json': ImportRequest, 'application/x-ndjson': ImportedNode },
    readers: { 'application/json': treeReader, 'application/x-ndjson': lineReader },
    start: 'mutation RestStartImport($input: StartContentImportInput!) { started: startContentImport(input: $input) { importId } }',
    idOf: (data) => Started.parse(data).started.importId,
    append: 'mutation RestAppendImport($input: AppendContentImportInput!) { appendContentImport(input: $input) { received } }',
    itemsVariable: 'nodes',
    appendVariables: (importId, sequence, nodes) => ({ input: { importId, sequence, nodes } }),
    finish: `mutation RestFinishImport($input: FinishContentImportInput!) {
      finished: finishContentImport(input: $input) {
        summary { received created updated unchanged deleted duplicates_removed: duplicatesRemoved duration_ms: durationMs }
      }
    }`,
    finishVariables: (importId, request) => ({
      input: { importId, confirm: checkedRequest(importRules, request).query.confirm === 'true' },
    }),
    answerOf: (data) => Finished.parse(data).finished.summary ?? undefined,
    answer: ImportAnswer,
  }
}
