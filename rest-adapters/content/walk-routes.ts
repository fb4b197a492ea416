import { z } from 'zod'
import { pageLinks } from '../response/page-links.ts'
import { operationRoute } from '../route/operation-route.ts'
import type { Route } from '../route/route.ts'
import { childrenQuery, nodeParams, tenantHeader, tenantPlace } from './requests.ts'
import {
  documentedSourceHeaders,
  isPrivate,
  NodeAnswer,
  nodeData,
  nodeFields,
  PlaceAbove,
  pageInfo,
  placedData,
  placedFields,
  RootAnswer,
  sourceData,
  sourceFields,
  sourceHeaders,
} from './responses.ts'

/** Returns the route of the root. */
export function rootRoute(): Route {
  return operationRoute({
    method: 'GET',
    path: '/api/v1/nodes/root',
    summary: 'Returns the root and its direct children',
    isPublic: true,
    header: tenantHeader,
    places: tenantPlace,
    query: childrenQuery,
    operation: `query RestContentRoot($tenant: ID, $first: Int!, $after: String) {
      found: contentRoot(tenantId: $tenant) {
        ${sourceFields}
        root { ${placedFields} children(first: $first, after: $after) { nodes { ${nodeFields} } pageInfo { hasNextPage endCursor } } }
      }
    }`,
    variables: ({ header, query }) => ({ tenant: header['x-tenant-id'], first: query.first ?? 100, after: query.after }),
    from: z
      .object({
        found: z
          .object({ ...sourceData, root: placedData.extend({ children: z.object({ nodes: z.array(nodeData), pageInfo }) }) })
          .nullable(),
      })
      .transform(({ found }) => {
        if (found === null) return null
        const { root, source, snapshot_at, is_private } = found
        const { children, ...node } = root
        const next = children.pageInfo.hasNextPage ? children.pageInfo.endCursor : null
        return {
          root: node,
          children: children.nodes,
          total_children: node.children_count,
          next,
          source,
          snapshot_at,
          [isPrivate]: is_private,
        }
      }),
    answer: RootAnswer,
    absent: 'This tenant has no content',
    answerHeaders: walkHeaders,
    vary: ['X-Tenant-Id'],
    headers: (body, query) => ({ ...headersOf(body), link: linksOf('/api/v1/nodes/root', query, body.next) }),
  })
}

/** The headers of a body whose tenant may be private. */
const headersOf = (body: { readonly source: string; readonly snapshot_at: string | null; readonly [isPrivate]?: boolean }) =>
  sourceHeaders({ ...body, is_private: body[isPrivate] === true })

const walkHeaders = { Link: 'Links to the first page of children and, if there is one, to the next (RFC 8288)', ...documentedSourceHeaders }

function linksOf(path: string, query: string, next: string | null): string {
  return pageLinks(path, query, [['first', { after: undefined }], ...(next === null ? [] : [['next', { after: next }] as const])])
}

/**
 * Returns the route of one node with its children. In the documented interface only the root has this form; other nodes are returned with
 * all descendants.
 */
export function nodeRoute(): Route {
  return operationRoute({
    method: 'GET',
    path: '/api/v1/nodes/:node_id',
    summary: 'Returns a node, its ancestors and its direct children',
    extension: true,
    isPublic: true,
    header: tenantHeader,
    places: tenantPlace,
    params: nodeParams,
    query: childrenQuery,
    operation: `query RestContentNode($tenant: ID, $id: ID!, $first: Int!, $after: String) {
      found: contentSubtree(tenantId: $tenant, id: $id, first: 1) {
        ${sourceFields}
        nodes {
          ${placedFields} ancestors { id title locale }
          children(first: $first, after: $after) { nodes { ${nodeFields} } pageInfo { hasNextPage endCursor } }
        }
      }
    }`,
    variables: ({ header, params, query }) => ({
      tenant: header['x-tenant-id'],
      id: params.node_id,
      first: query.first ?? 100,
      after: query.after,
    }),
    from: z
      .object({
        found: z
          .object({
            ...sourceData,
            nodes: z.array(
              placedData.extend({ ancestors: z.array(PlaceAbove), children: z.object({ nodes: z.array(nodeData), pageInfo }) }),
            ),
          })
          .nullable(),
      })
      .transform(({ found }) => {
        const [top] = found?.nodes ?? []
        if (found == null || top === undefined) return null
        const { children, ancestors, ...node } = top
        const next = children.pageInfo.hasNextPage ? children.pageInfo.endCursor : null
        const { source, snapshot_at, is_private } = found
        const total_children = node.children_count
        return { node, ancestors, children: children.nodes, total_children, next, source, snapshot_at, [isPrivate]: is_private }
      }),
    answer: NodeAnswer,
    absent: 'Node not found',
    answerHeaders: walkHeaders,
    vary: ['X-Tenant-Id'],
    headers: (body, query) => ({
      ...headersOf(body),
      link: linksOf(`/api/v1/nodes/${encodeURIComponent(body.node.id)}`, query, body.next),
    }),
  })
}
