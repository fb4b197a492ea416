import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime, Json } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { ReadingSource, ReadNode } from '../tree/read-tree.ts'
import { ContentBodyFormat, ContentSource } from '../vocabulary.ts'

registerEnum(ContentBodyFormat, {
  name: 'ContentBodyFormat',
  description: 'Format of a body.',
  values: {
    MARKDOWN: 'CommonMark with tables.',
  },
})

registerEnum(ContentSource, {
  name: 'ContentSource',
  description: 'The store that content was read from.',
  values: {
    STORE: 'The content store.',
    SNAPSHOT: 'The local snapshot, used while the content store is unavailable.',
  },
})

@ObjectType({ description: 'A media file that accompanies a text.' })
export class ContentMedia {
  @Field(() => String, { description: 'URL of the file.' })
  readonly url!: string
  @Field(() => String, { nullable: true, description: 'Media type, such as image/png; null when unknown.' })
  readonly type!: string | null
  @Field(() => String, { nullable: true, description: 'Text alternative; null when unset.' })
  readonly alt!: string | null
  @Field(() => String, { nullable: true, description: 'Caption; null when unset.' })
  readonly caption!: string | null
}

@Directive('@key(fields: "tenantId id")')
@ObjectType({ description: 'A node of a tenant’s content tree.' })
export class ContentNode implements Omit<ReadNode, 'contentHash'> {
  @Field(() => ID, { description: 'Id of the node, unique within its tenant.' })
  readonly id!: string
  @Field(() => ID, { description: 'Id of the tenant; together with `id`, the key of the node.' })
  readonly tenantId!: string
  @Field(() => String, { nullable: true, description: 'Id in the source system; null when unset.' })
  readonly externalId!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the parent; null for the root. Cheaper than `parent` when a client reads a whole tree.',
  })
  readonly parentId!: string | null
  @Field(() => String, { description: 'Title.' })
  readonly title!: string
  @Field(() => String, { description: 'Title in a form for URLs.' })
  readonly slug!: string
  @Field(() => String, { nullable: true, description: 'Summary; null when unset.' })
  readonly summary!: string | null
  @Field(() => String, { nullable: true, description: 'Body in the format of `bodyFormat`; null when unset.' })
  readonly body!: string | null
  @Field(() => ContentBodyFormat, { description: 'Format of the body.' })
  readonly bodyFormat!: ContentBodyFormat
  @Field(() => String, { nullable: true, description: 'Language (BCP 47); null when unknown.' })
  readonly locale!: string | null
  @Field(() => Int, { description: 'Position among its siblings; equal positions are ordered by id.' })
  readonly position!: number
  @Field(() => Int, { description: 'Number of steps from the root; 0 for the root.' })
  readonly depth!: number
  @Field(() => Int, { description: 'Number of direct children.' })
  readonly childrenCount!: number
  @Field(() => [ContentMedia], { description: 'Media files.' })
  readonly media!: readonly ContentMedia[]
  @Field(() => Json, { description: 'Additional data that the tenant defines: a JSON object.' })
  readonly metadata!: Readonly<Record<string, unknown>>
  @Field(() => DateTime, { description: 'Time of creation.' })
  readonly createdAt!: Date
  @Field(() => DateTime, { description: 'Time of the last change of content or place.' })
  readonly updatedAt!: Date

  /** the version that the node was read from */
  readonly view!: ReadNode['view']
  readonly orderKey!: string
}

@ObjectType({ description: 'An edge of `ContentNodeConnection` or `ContentSubtreeConnection`: a content node and its cursor.' })
export class ContentNodeEdge {
  @Field(() => String, { description: 'Cursor of the node within one version of the list, for `after`.' })
  readonly cursor!: string
  @Field(() => ContentNode, { description: 'The node.' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'A page of content nodes.' })
export class ContentNodeConnection implements CountablePage {
  @Field(() => [ContentNodeEdge], { description: 'The nodes of the page with their cursors.' })
  readonly edges!: readonly ContentNodeEdge[]
  @Field(() => [ContentNode], { description: 'The nodes of the page.' })
  readonly nodes!: readonly ContentNode[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  readonly pageInfo!: PageInfo

  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'The root of a tenant’s tree.' })
export class ContentRoot implements ReadingSource {
  @Field(() => ContentNode, { description: 'The root node.' })
  readonly root!: ContentNode
  @Field(() => Int, { description: 'Version of the tree.' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'The store that the content was read from.' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'Time of the snapshot; null when the content was read from the store.' })
  readonly snapshotAt!: Date | null
  @Field(() => Boolean, { description: 'Whether the tenant is private: the content must not be cached for other users.' })
  readonly isPrivate!: boolean
}

@ObjectType({ description: 'A page of a subtree in pre-order: each node precedes its descendants.' })
export class ContentSubtreeConnection extends ContentNodeConnection implements ReadingSource {
  @Field(() => Int, { description: 'Version of the tree; the same on all pages of one traversal.' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'The store that the content was read from.' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'Time of the snapshot; null when the content was read from the store.' })
  readonly snapshotAt!: Date | null
  @Field(() => Boolean, { description: 'Whether the tenant is private: the content must not be cached for other users.' })
  readonly isPrivate!: boolean
}

@ObjectType({ description: 'Result of `createContentNode`.' })
export class CreateContentNodePayload {
  @Field(() => ContentNode, { description: 'The node.' })
  readonly node!: ContentNode
  @Field(() => Boolean, { description: 'Whether the node is new; false when an identical node existed.' })
  readonly created!: boolean
}

@ObjectType({ description: 'Result of `updateContentNode`.' })
export class UpdateContentNodePayload {
  @Field(() => ContentNode, { description: 'The node after the change.' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'Result of `moveContentNode`.' })
export class MoveContentNodePayload {
  @Field(() => ContentNode, { description: 'The node after the move.' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'Result of `startContentImport`.' })
export class StartContentImportPayload {
  @Field(() => ID, { description: 'Id of the import.' })
  readonly importId!: string
}

@ObjectType({ description: 'Result of `appendContentImport`.' })
export class AppendContentImportPayload {
  @Field(() => Int, { description: 'Number of nodes received with this request.' })
  readonly received!: number
}

@ObjectType({ description: 'Result of an import; with `dryRun`, the result that it would have.' })
export class ContentImportSummary {
  @Field(() => Int, { description: 'Number of nodes received.' })
  readonly received!: number
  @Field(() => Int, { description: 'Number of nodes created.' })
  readonly created!: number
  @Field(() => Int, { description: 'Number of nodes whose content or place changes.' })
  readonly updated!: number
  @Field(() => Int, { description: 'Number of nodes that do not change.' })
  readonly unchanged!: number
  @Field(() => Int, { description: 'Number of existing nodes that the import does not contain and that it deletes (mode REPLACE).' })
  readonly deleted!: number
  @Field(() => [ID], { description: 'Ids of the deleted nodes, at most 1,000 in pre-order; empty with `dryRun`.' })
  readonly deletedIds!: readonly string[]
  @Field(() => [ID], { description: 'Global ids (Node) of the deleted nodes, for cache invalidation.' })
  readonly deletedNodeIds!: readonly string[]
  @Field(() => ID, { description: 'Id of the tenant.' })
  readonly tenantId!: string
  @Field(() => Int, { description: 'Number of nodes that a later node of the same import replaced.' })
  readonly duplicatesRemoved!: number
  @Field(() => Int, { description: 'Milliseconds since the start of the import.' })
  readonly durationMs!: number
}

@ObjectType({ description: 'Result of `finishContentImport`.' })
export class FinishContentImportPayload {
  @Field(() => ContentImportSummary, {
    nullable: true,
    description: 'Result of the import; null while it is being applied: repeat the call.',
  })
  readonly summary!: ContentImportSummary | null
}
