import { createGraphqlClient, NotFoundError } from '@civigraph/client'
import {
  ContentNodeDocument,
  type ContentPlaceFieldsFragment,
  ContentRootDocument,
  ContentSubtreeDocument,
  type ContentTextFieldsFragment,
} from '@civigraph/client/documents'
import type { ChildPage, ContentText, PlacedText } from '../../shared/content/place/content-view.ts'
import { type Library, readPages } from '../../shared/content/place/library.ts'
import { graphUrl } from '../../shared/graph/graph-client.ts'

const patienceMs = 60_000
/** children per page */
const first = 50
/** texts of a subtree per request */
const pageSize = 200
/** read from the database just now */
const asRead = { snapshotAt: undefined, savedAt: undefined }

/** Reads the texts of a tenant over GraphQL. @param send - `fetch` that adds credentials */
export function graphLibrary(send: typeof fetch, tenant: string): Library {
  const graph = createGraphqlClient({ url: graphUrl(), fetch: send, timeoutMs: patienceMs })
  return {
    tenant,
    async readText(id, { after, signal } = {}) {
      const options = signal === undefined ? {} : { signal }
      if (id === undefined) {
        const { root } = present((await graph.request(ContentRootDocument, { tenantId: tenant, first }, options)).contentRoot)
        return { node: placedOf(root), ancestors: [], ...belowIn(present(root.children)), ...asRead }
      }
      const page = { id, tenantId: tenant, first, ...(after !== undefined && { after }) }
      const node = present((await graph.request(ContentNodeDocument, page, options)).contentNode)
      return { node: placedOf(node), ancestors: node.ancestors, ...belowIn(present(node.children)), ...asRead }
    },
    readSubtree: (id) =>
      readPages(async (after) => {
        const page = { id, tenantId: tenant, first: pageSize, ...(after !== undefined && { after }) }
        return belowIn(present((await graph.request(ContentSubtreeDocument, page)).contentSubtree))
      }),
  }
}

/** @throws {NotFoundError} */
function present<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw new NotFoundError('There is no such text')
  return answer
}

interface Children {
  readonly nodes: readonly ContentTextFieldsFragment[]
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
}

const belowIn = ({ nodes, pageInfo }: Children): ChildPage => ({
  children: nodes.map(textOf),
  next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const textOf = (node: ContentTextFieldsFragment): ContentText => ({
  id: node.id,
  external_id: node.externalId,
  tenant_id: node.tenantId,
  parent_id: node.parentId,
  title: node.title,
  slug: node.slug,
  summary: node.summary,
  body: node.body,
  body_format: 'markdown',
  locale: node.locale,
  position: node.position,
  depth: node.depth,
  children_count: node.childrenCount,
  media: [...node.media],
  metadata: isObject(node.metadata) ? node.metadata : {},
  created_at: node.createdAt,
  updated_at: node.updatedAt,
})

const placedOf = (node: ContentPlaceFieldsFragment): PlacedText => ({
  ...textOf(node),
  path: [...node.path],
  path_truncated: node.pathTruncated,
})
