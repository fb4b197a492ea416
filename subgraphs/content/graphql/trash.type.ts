import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Administrator } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { tenantDescription } from './node.input.ts'
import { ContentNode } from './node.type.ts'

@ObjectType({
  description:
    'A node that was deleted with its descendants and can be restored until it is purged or expires. It is not a `Node`: only `contentTrash` returns it; the payloads of restoring and purging contain only its id.',
})
export class RemovedContent {
  @Field(() => ID, { description: 'Id of the deletion.' })
  readonly id!: string
  @Field(() => ID, { description: 'Id of the tenant.' })
  readonly tenantId!: string
  @Field(() => ID, { description: 'Id of the node, which it keeps when it is restored.' })
  readonly contentId!: string
  @Field(() => String, { description: 'Title of the node.' })
  readonly title!: string
  @Field(() => String, { nullable: true, description: 'Language (BCP 47); null when unknown.' })
  readonly locale!: string | null
  @Field(() => Int, { description: 'Number of deleted nodes: the node and its descendants.' })
  readonly nodesCount!: number
  @Field(() => DateTime, { description: 'Time of the deletion.' })
  readonly removedAt!: Date
  @Field(() => Administrator, {
    nullable: true,
    description:
      'The administrator who deleted the node; null for a service. Fields other than `id` require the role SUPER_ADMIN or being that administrator.',
  })
  readonly removedBy!: Administrator | null
  @Field(() => String, {
    nullable: true,
    description: 'Name of the service key with which the node was deleted; null for an administrator.',
  })
  readonly removedByService!: string | null
  @Field(() => DateTime, { description: 'Time at which the content is removed permanently.' })
  readonly expiresAt!: Date

  /** parent at the time of deletion; null for a root */
  readonly parentId!: string | null
}

@ObjectType({ description: 'An edge of `RemovedContentConnection`: deleted content and its cursor.' })
export class RemovedContentEdge {
  @Field(() => String, { description: 'Cursor of the deleted content.' })
  readonly cursor!: string
  @Field(() => RemovedContent, { description: 'The deleted content.' })
  readonly node!: RemovedContent
}

@ObjectType({ description: 'A page of deleted content.' })
export class RemovedContentConnection {
  @Field(() => [RemovedContentEdge], { description: 'The deleted content of the page with cursors.' })
  readonly edges!: readonly RemovedContentEdge[]
  @Field(() => [RemovedContent], { description: 'The deleted content of the page.' })
  readonly nodes!: readonly RemovedContent[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  readonly pageInfo!: PageInfo
}

@InputType({ description: 'The node to delete.' })
export class DeleteContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, { description: 'Id of the node; its descendants are deleted with it.' })
  id!: string
}

@ObjectType({ description: 'Result of `deleteContentNode`.' })
export class DeleteContentNodePayload {
  @Field(() => Int, { description: 'Number of deleted nodes: the node and its descendants.' })
  readonly deleted!: number
  @Field(() => ID, { description: 'Id of the node.' })
  readonly id!: string
  @Field(() => ID, { description: 'Id of the tenant.' })
  readonly tenantId!: string
  @Field(() => ID, { description: 'Global id (Node) of the node, for cache invalidation.' })
  readonly deletedNodeId!: string
  @Field(() => [ID], { description: 'Global ids (Node) of the node and its descendants, at most 1,000 in pre-order.' })
  readonly deletedNodeIds!: readonly string[]
  @Field(() => RemovedContent, { description: 'The entry in the trash.' })
  readonly removed!: RemovedContent
}

@InputType({ description: 'The deleted content to restore.' })
export class RestoreContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, { description: 'Id of the deletion, as in `contentTrash`.' })
  id!: string
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the new parent; by default the former parent, where the node returns to its former position.',
  })
  parentId?: string | null
}

@ObjectType({ description: 'Result of `restoreContentNode`.' })
export class RestoreContentNodePayload {
  @Field(() => ContentNode, { description: 'The node, with its former id.' })
  readonly node!: ContentNode
  @Field(() => Int, { description: 'Number of restored nodes: the node and its descendants.' })
  readonly restored!: number
  @Field(() => ID, { description: 'Id of the deletion, which the trash no longer lists.' })
  readonly restoredId!: string
}

@InputType({ description: 'The deleted content to remove permanently.' })
export class PurgeContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, { description: 'Id of the deletion, as in `contentTrash`.' })
  id!: string
}

@ObjectType({ description: 'Result of `purgeContentNode`.' })
export class PurgeContentNodePayload {
  @Field(() => Int, { description: 'Number of nodes that were removed permanently.' })
  readonly purged!: number
  @Field(() => ID, { description: 'Id of the deletion, which the trash no longer lists.' })
  readonly purgedId!: string
}
