import { GraphQLScalarType, valueFromASTUntyped } from 'graphql'
import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import type { TreeView } from '../../../engines/tree-store/tree-store.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'

/** Any JSON object. The only free form in the schema: what a tenant keeps beside a node is its own business. */
export const Json = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'Any JSON value',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

export enum ContentBodyFormat {
  MARKDOWN = 'markdown',
}
registerEnumType(ContentBodyFormat, { name: 'ContentBodyFormat', description: 'How a body is written: CommonMark with tables' })

export enum ContentSource {
  STORE = 'store',
  SNAPSHOT = 'snapshot',
}
registerEnumType(ContentSource, {
  name: 'ContentSource',
  description: 'Where an answer was read: in the store, or, while that is away, in the snapshot kept beside it',
})

@ObjectType({ description: 'Something to look at beside a text' })
export class ContentMedia {
  @Field(() => String, { description: 'Its address' })
  readonly url!: string
  @Field(() => String, { nullable: true, description: 'Media type, such as image/png' })
  readonly type!: string | null
  @Field(() => String, { nullable: true, description: 'What it shows, for those who cannot see it' })
  readonly alt!: string | null
  @Field(() => String, { nullable: true, description: 'What stands below it' })
  readonly caption!: string | null
}

@Directive('@key(fields: "tenantId id")')
@ObjectType({ description: 'A node of a tenant’s content tree' })
export class ContentNode {
  @Field(() => ID, { description: 'Id of the node, unique within its tenant' })
  readonly id!: string
  @Field(() => ID, { description: 'Id of `tenant`; with `id` it is the key of the node' })
  readonly tenantId!: string
  @Field(() => String, { nullable: true, description: 'What the system that it comes from calls it' })
  readonly externalId!: string | null
  @Field(() => ID, { nullable: true, description: 'Id of `parent`, for whoever walks whole trees' })
  readonly parentId!: string | null
  @Field(() => String, { description: 'Title' })
  readonly title!: string
  @Field(() => String, { description: 'The title as a part of an address' })
  readonly slug!: string
  @Field(() => String, { nullable: true, description: 'A few sentences' })
  readonly summary!: string | null
  @Field(() => String, { nullable: true, description: 'The text, in markdown' })
  readonly body!: string | null
  @Field(() => ContentBodyFormat, { description: 'How the body is written' })
  readonly bodyFormat!: ContentBodyFormat
  @Field(() => String, { nullable: true, description: 'Language, BCP 47' })
  readonly locale!: string | null
  @Field(() => Int, { description: 'Place among its siblings; ties are broken by id' })
  readonly position!: number
  @Field(() => Int, { description: 'Steps from the root, which has 0' })
  readonly depth!: number
  @Field(() => Int, { description: 'How many nodes are directly below' })
  readonly childrenCount!: number
  @Field(() => [ContentMedia], { description: 'Pictures and the like' })
  readonly media!: readonly ContentMedia[]
  @Field(() => Json, { description: 'What the tenant keeps beside it: an object' })
  readonly metadata!: Readonly<Record<string, unknown>>
  @Field(() => DateTime, { description: 'When it was created' })
  readonly createdAt!: Date
  @Field(() => DateTime, { description: 'When it last said something else or stood somewhere else' })
  readonly updatedAt!: Date

  /** the version that it was read from */
  readonly view!: TreeView
  readonly orderKey!: string
}

@ObjectType({ description: 'A node in a list' })
export class ContentNodeEdge {
  @Field(() => String, { description: 'Its place in one version of the list; give it as `after` for what follows' })
  readonly cursor!: string
  @Field(() => ContentNode, { description: 'The node' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'Nodes in their order, a page at a time' })
export class ContentNodeConnection {
  @Field(() => [ContentNodeEdge], { description: 'The nodes with their places' })
  readonly edges!: readonly ContentNodeEdge[]
  @Field(() => [ContentNode], { description: 'The nodes' })
  readonly nodes!: readonly ContentNode[]
  @Field(() => PageInfo, { description: 'Where the page stands' })
  readonly pageInfo!: PageInfo
}

@ObjectType({ description: 'The top of a tenant’s tree' })
export class ContentRoot {
  @Field(() => ContentNode, { description: 'The root' })
  readonly root!: ContentNode
  @Field(() => Int, { description: 'Version of the tree' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'Where this was read' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'The moment that the snapshot shows; null when the store answered' })
  readonly snapshotAt!: Date | null
}

@ObjectType({ description: 'A node and everything below it, in pre-order: each node before its children' })
export class ContentSubtree extends ContentNodeConnection {
  @Field(() => Int, { description: 'Version of the tree; the same on all pages of one reading' })
  readonly version!: number
  @Field(() => ContentSource, { description: 'Where this was read' })
  readonly source!: ContentSource
  @Field(() => DateTime, { nullable: true, description: 'The moment that the snapshot shows; null when the store answered' })
  readonly snapshotAt!: Date | null
}

@ObjectType({ description: 'What came of creating a node' })
export class CreateContentNodePayload {
  @Field(() => ContentNode, { description: 'The node' })
  readonly node!: ContentNode
  @Field(() => Boolean, { description: 'False when it was there already, the same' })
  readonly created!: boolean
}

@ObjectType({ description: 'What came of changing a node' })
export class UpdateContentNodePayload {
  @Field(() => ContentNode, { description: 'The node as it is now' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'What came of moving a node' })
export class MoveContentNodePayload {
  @Field(() => ContentNode, { description: 'The node as it is now' })
  readonly node!: ContentNode
}

@ObjectType({ description: 'An import that has begun' })
export class StartContentImportPayload {
  @Field(() => ID, { description: 'Names the import in what follows' })
  readonly importId!: string
}

@ObjectType({ description: 'Nodes that were taken' })
export class AppendContentImportPayload {
  @Field(() => Int, { description: 'How many of this request' })
  readonly received!: number
}

@ObjectType({ description: 'What an import did, or with dryRun would do' })
export class ContentImportSummary {
  @Field(() => Int, { description: 'Nodes that came' })
  readonly received!: number
  @Field(() => Int, { description: 'New ones' })
  readonly created!: number
  @Field(() => Int, { description: 'Those that now say something else or stand somewhere else' })
  readonly updated!: number
  @Field(() => Int, { description: 'Those that were there already, the same' })
  readonly unchanged!: number
  @Field(() => Int, { description: 'Those that were there and did not come (mode REPLACE)' })
  readonly deleted!: number
  @Field(() => [ID], { description: 'Ids of these, the first thousand in the order of reading; none with dryRun, which leaves them' })
  readonly deletedIds!: readonly string[]
  @Field(() => [ID], { description: 'Node ids of the same: what caches give up' })
  readonly deletedNodeIds!: readonly string[]
  @Field(() => ID, { description: 'The tenant whose tree it is' })
  readonly tenantId!: string
  @Field(() => Int, { description: 'Those that came again later in the import: the last one counts' })
  readonly duplicatesRemoved!: number
  @Field(() => Int, { description: 'Milliseconds since it began' })
  readonly durationMs!: number
}

@ObjectType({ description: 'Where the end of an import stands' })
export class FinishContentImportPayload {
  @Field(() => ContentImportSummary, { nullable: true, description: 'Null while it is still at work: ask again' })
  readonly summary!: ContentImportSummary | null
}
