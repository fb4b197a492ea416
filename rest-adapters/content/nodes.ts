import { z } from 'zod'
import { isNestedAtMost } from '../../subgraphs/foundation/validation/nesting-depth.ts'
import { ownIssue } from '../response/invalid-request.ts'

/** What a caller may say of the tenant; the rule itself is the subgraph's. */
export const tenantHeader = z.object({
  'x-tenant-id': z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'Input should be 1 to 63 of a-z, 0-9 and -')
    .optional()
    .meta({ description: 'the tenant; left out, that of the token, else `default`' }),
})

/** Where a request names the tenant of its operation. */
export const tenantPlace = { tenantId: ['header', 'X-Tenant-Id'] } as const

const Media = z
  .object({ url: z.string(), type: z.string().nullable(), alt: z.string().nullable(), caption: z.string().nullable() })
  .meta({ id: 'Media' })
const members = {
  id: z.string(),
  external_id: z.string().nullable(),
  tenant_id: z.string(),
  parent_id: z.string().nullable().meta({ description: 'null for the root' }),
  title: z.string(),
  slug: z.string(),
  summary: z.string().nullable(),
  body: z.string().nullable(),
  body_format: z.literal('markdown'),
  locale: z.string().nullable().meta({ description: 'BCP 47' }),
  position: z.int().meta({ description: 'place among its siblings; ties are broken by id' }),
  depth: z.int().meta({ description: 'steps from the root' }),
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
    path: z.array(z.string()).meta({ description: 'ids from the root to the node, the nearest 100' }),
    path_truncated: z.boolean(),
  })
  .meta({ id: 'PlacedNode' })
/** its `children` are nodes like it; JSON Schema says so by name */
export const NestedNode = z
  .object({ ...members, children: z.array(z.unknown().meta({ $ref: '#/components/schemas/NestedNode' })) })
  .meta({ id: 'NestedNode' })

/** A node's members in the words and the order of REST. */
export const nodeFields = `id external_id: externalId tenant_id: tenantId parent_id: parentId title slug summary body body_format: bodyFormat locale
  position depth children_count: childrenCount media { url type alt caption } metadata created_at: createdAt updated_at: updatedAt`
export const placedFields = `${nodeFields} path path_truncated: pathTruncated`

const bodyFormat = z.string().transform((): 'markdown' => 'markdown')
/** a node as the operation gives it */
export const nodeData = z.object({ ...members, body_format: bodyFormat })
export const placedData = z.object({ ...PlacedNode.shape, body_format: bodyFormat })

export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() })
export const sourceFields = 'version source snapshot_at: snapshotAt'
export const sourceData = {
  version: z.int(),
  source: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['store', 'snapshot'])),
  snapshot_at: z.string().nullable(),
}

/** Says where an answer was read. */
export function sourceHeaders({
  source,
  snapshot_at,
}: {
  readonly source: string
  readonly snapshot_at: string | null
}): Readonly<Record<string, string>> {
  return { 'x-content-source': source, ...(snapshot_at === null ? {} : { 'x-content-snapshot-at': snapshot_at }) }
}

const text = z.string().nullish()
const MediaRequest = z.object({ url: z.string(), type: text, alt: text, caption: text }).meta({ id: 'MediaRequest' })
const integer = z.int().min(-2_147_483_648).max(2_147_483_647)
const described = {
  id: text.meta({ description: 'left out, one is made: the same again for the same external_id' }),
  external_id: text,
  parent_id: text.meta({ description: 'left out or null for the root' }),
  title: z.string(),
  slug: text.meta({ description: 'left out, made of the title' }),
  summary: text,
  body: text.meta({ description: 'markdown' }),
  body_format: z.literal('markdown').nullish(),
  locale: text,
  position: integer.nullish().meta({ description: 'left out, after all others' }),
  media: z.array(MediaRequest).nullish(),
  // deeper ones would be refused on their way to the subgraph, whose rule this is, without the name of the field
  metadata: z
    .record(z.string(), z.unknown())
    .superRefine((value, context) => {
      if (!isNestedAtMost(value, 32)) context.addIssue(ownIssue({ type: 'value_error', msg: 'Metadata should be nested at most 32 deep' }))
    })
    .nullish(),
}

export const CreateNodeRequest = z.object(described).meta({ id: 'CreateNodeRequest' })
export const ImportedNode = z
  .object({ ...described, parent_external_id: text, created_at: text, updated_at: text })
  .meta({ id: 'ImportedNode' })
export const ImportRequest = z
  .object({ nodes: z.array(ImportedNode).meta({ description: 'flat, or nested by `children` with parent_id left out; in any order' }) })
  .meta({ id: 'ImportRequest' })

/** The mutation's input for one documented node. */
export function inputOf(node: z.output<typeof CreateNodeRequest>): Readonly<Record<string, unknown>> {
  const { external_id, parent_id, body_format: _, ...same } = node
  return { ...same, externalId: external_id, parentId: parent_id }
}

/** Likewise for an import. @param place - by which keys it hangs together with others of the same body */
export function importedInputOf(
  node: z.output<typeof ImportedNode>,
  place: { readonly key?: string | undefined; readonly parentKey?: string | undefined; readonly position?: number | undefined },
): Readonly<Record<string, unknown>> {
  const { parent_external_id, created_at, updated_at, ...content } = node
  return {
    ...inputOf(content),
    position: content.position ?? place.position,
    parentExternalId: parent_external_id,
    createdAt: created_at,
    updatedAt: updated_at,
    key: place.key,
    parentKey: place.parentKey,
  }
}
