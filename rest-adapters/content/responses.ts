import { z } from 'zod'
import { documentedValue } from '../route/value-schemas.ts'

const Media = z
  .object({ url: z.string(), type: z.string().nullable(), alt: z.string().nullable(), caption: z.string().nullable() })
  .meta({ id: 'Media' })
const members = {
  id: z.string(),
  external_id: z.string().nullable(),
  tenant_id: z.string(),
  parent_id: z.string().nullable().meta({ description: 'Null for the root' }),
  title: z.string(),
  slug: z.string(),
  summary: z.string().nullable(),
  body: z.string().nullable(),
  body_format: z.literal('markdown'),
  locale: z.string().nullable().meta({ description: 'BCP 47' }),
  position: z.int().meta({ description: 'Position among its siblings; equal positions are ordered by id' }),
  depth: z.int().meta({ description: 'Number of steps from the root' }),
  children_count: z.int(),
  media: z.array(Media),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
}
export const Node = z.object(members).meta({ id: 'Node' })
export const PlacedNode = z
  .object({
    ...members,
    path: z.array(z.string()).meta({ description: 'Ids from the root to the node, limited to the last 100' }),
    path_truncated: z.boolean(),
  })
  .meta({ id: 'PlacedNode' })
/** `children` refers to this schema by name */
export const NestedNode = z
  .object({ ...members, children: z.array(z.unknown().meta({ $ref: '#/components/schemas/NestedNode' })) })
  .meta({ id: 'NestedNode' })

/** Fields of a node with REST names, in REST order. */
export const nodeFields = `id external_id: externalId tenant_id: tenantId parent_id: parentId title slug summary body body_format: bodyFormat locale
  position depth children_count: childrenCount media { url type alt caption } metadata created_at: createdAt updated_at: updatedAt`
export const placedFields = `${nodeFields} path path_truncated: pathTruncated`

const bodyFormat = z.string().transform((): 'markdown' => 'markdown')
/** a node as the operation returns it */
export const nodeData = z.object({ ...members, body_format: bodyFormat })
export const placedData = z.object({ ...PlacedNode.shape, body_format: bodyFormat })

export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
export const sourceFields = 'version source snapshot_at: snapshotAt is_private: isPrivate'
export const sourceData = {
  version: z.int(),
  source: documentedValue(['store', 'snapshot'], 'store'),
  snapshot_at: z.string().nullable(),
  is_private: z.boolean(),
}

/** Marks a body of a private tenant; not serialised. */
export const isPrivate = Symbol('private')

export const documentedSourceHeaders = {
  'X-Content-Source': '`store`, or `snapshot` while the store is unavailable',
  'X-Content-Snapshot-At': 'Time of the snapshot; absent when the content was read from the store',
}

/** Returns the headers that name the source of a response. */
export function sourceHeaders({
  source,
  snapshot_at,
  is_private,
}: {
  readonly source: string
  readonly snapshot_at: string | null
  readonly is_private: boolean
}): Readonly<Record<string, string>> {
  return {
    'x-content-source': source,
    ...(snapshot_at === null ? {} : { 'x-content-snapshot-at': snapshot_at }),
    ...(is_private && { 'cache-control': 'private, no-store' }),
  }
}

export const RootAnswer = z
  .object({
    root: PlacedNode,
    children: z.array(Node),
    total_children: z.int(),
    next: z.string().nullable().meta({ description: 'Cursor of the next page of children; null on the last page' }),
    source: z.enum(['store', 'snapshot']),
    snapshot_at: z.string().nullable(),
  })
  .meta({ id: 'Root' })

export const PlaceAbove = z.object({ id: z.string(), title: z.string(), locale: z.string().nullable() }).meta({ id: 'PlaceAbove' })
export const NodeAnswer = z
  .object({
    node: PlacedNode,
    ancestors: z.array(PlaceAbove).meta({ description: 'Ancestors from the root to the parent, limited to the last 99' }),
    children: z.array(Node),
    total_children: z.int(),
    next: z.string().nullable().meta({ description: 'Cursor of the next page of children; null on the last page' }),
    source: z.enum(['store', 'snapshot']),
    snapshot_at: z.string().nullable(),
  })
  .meta({ id: 'NodeView' })

export const ImportAnswer = z
  .object({
    received: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    deleted: z.int(),
    duplicates_removed: z.int(),
    duration_ms: z.int(),
  })
  .meta({ id: 'ImportSummary' })
