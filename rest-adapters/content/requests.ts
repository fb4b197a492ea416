import { z } from 'zod'
import { isNestedAtMost } from '../../foundation/validation/json-limits.ts'
import { isStorableMoment } from '../../foundation/validation/values.ts'
import { ownIssue } from '../response/invalid-request.ts'
import { laxInteger } from '../route/value-schemas.ts'

/** Header for the tenant; the subgraph validates it. */
export const tenantHeader = z.object({
  'x-tenant-id': z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'Input should be 1 to 63 of a-z, 0-9 and -')
    .optional()
    .meta({ description: 'The tenant; by default that of the token, otherwise `default`' }),
})

/** Maps the operation's tenant argument to the header, for errors. */
export const tenantPlace = { tenantId: ['header', 'X-Tenant-Id'] } as const

/** Path parameters of a node. */
export const nodeParams = z.object({ node_id: z.string().meta({ description: 'Id of the node' }) })

/** Parameter of a signed link; the authentication of the listener reads it. */
export const accessQuery = z.object({
  access: z
    .string()
    .optional()
    .meta({ description: 'Signed link to the private tenant (`createContentLink`); also as header `X-Content-Access`' }),
})

export const childrenQuery = z.object({
  ...accessQuery.shape,
  first: laxInteger(1)
    .transform((first) => Math.min(first, 1000))
    .optional()
    .meta({ type: 'integer', minimum: 1, default: 100, description: 'Maximum number of children; values above 1,000 return 1,000' }),
  after: z.string().optional().meta({ description: '`next` of the previous page' }),
})

const text = z.string().nullish()
const MediaRequest = z.object({ url: z.string(), type: text, alt: text, caption: text }).meta({ id: 'MediaRequest' })
const integer = z.int().min(-2_147_483_648).max(2_147_483_647)
const described = {
  id: text.meta({ description: 'By default generated, and the same for the same external_id' }),
  external_id: text,
  parent_id: text.meta({ description: 'Absent or null for the root' }),
  title: z.string(),
  slug: text.meta({ description: 'By default derived from the title' }),
  summary: text,
  body: text.meta({ description: 'Markdown' }),
  body_format: z.literal('markdown').nullish(),
  locale: text,
  position: integer.nullish().meta({ description: 'By default last among its siblings' }),
  media: z.array(MediaRequest).nullish(),
  // deeper values would be refused by the transport before the subgraph, without the name of the field
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
  .object({
    nodes: z.array(ImportedNode).meta({ description: 'A flat list in any order, or a tree nested by `children` without parent_id' }),
  })
  .meta({ id: 'ImportRequest' })

/** Converts a documented node to the mutation's input. */
export function inputOf(node: z.output<typeof CreateNodeRequest>): Readonly<Record<string, unknown>> {
  const { external_id, parent_id, body_format: _, ...same } = node
  return { ...same, externalId: external_id, parentId: parent_id }
}

/** Converts a documented node to the input of an import. @param place - keys that link nodes of the same body */
export function importedInputOf(
  node: z.output<typeof ImportedNode>,
  place: { readonly key?: string | undefined; readonly parentKey?: string | undefined; readonly position?: number | undefined },
): Readonly<Record<string, unknown>> {
  const { parent_external_id, created_at, updated_at, ...content } = node
  return {
    ...inputOf(content),
    position: content.position ?? place.position,
    parentExternalId: parent_external_id,
    createdAt: momentOf(created_at),
    updatedAt: momentOf(updated_at),
    key: place.key,
    parentKey: place.parentKey,
  }
}

/** Converts a time for the graph; an invalid date counts as absent. */
function momentOf(text: string | null | undefined): string | undefined {
  const at = text == null ? undefined : new Date(text)
  return at !== undefined && isStorableMoment(at) ? at.toISOString() : undefined
}
