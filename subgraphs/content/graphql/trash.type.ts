import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Administrator } from '../../../foundation/graphql/administrator.type.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { tenant } from './node.input.ts'
import { ContentNode } from './node.type.ts'

@ObjectType({
  description:
    'A node that was deleted with everything below it, and can be restored until it is purged or expires. It is no Node: it stands for a deletion, which `contentTrash` of its tenant alone shows; `restoredId` and `purgedId` say which one is over',
})
export class RemovedContent {
  @Field(() => ID, { description: 'Names it in the trash' })
  readonly id!: string
  @Field(() => ID, { description: 'The tenant it belongs to' })
  readonly tenantId!: string
  @Field(() => ID, { description: 'Id of the node, which it has again once it is restored' })
  readonly contentId!: string
  @Field(() => String, { description: 'Its title' })
  readonly title!: string
  @Field(() => String, { nullable: true, description: 'Language, BCP 47' })
  readonly locale!: string | null
  @Field(() => Int, { description: 'How many nodes: it and everything below it' })
  readonly nodesCount!: number
  @Field(() => DateTime, { description: 'When it was deleted' })
  readonly removedAt!: Date
  @Field(() => Administrator, { nullable: true, description: 'Who deleted it; more than the id is for themselves and super_admins' })
  readonly removedBy!: Administrator | null
  @Field(() => String, { nullable: true, description: 'The name of the service key that it was deleted with' })
  readonly removedByService!: string | null
  @Field(() => DateTime, { description: 'When it is removed for ever' })
  readonly expiresAt!: Date

  /** the node above it when it was deleted; null: it was the root */
  readonly parentId!: string | null
}

@ObjectType({ description: 'Deleted content in a list' })
export class RemovedContentEdge {
  @Field(() => String, { description: 'Its place in the list' })
  readonly cursor!: string
  @Field(() => RemovedContent, { description: 'What was deleted' })
  readonly node!: RemovedContent
}

@ObjectType({ description: 'A page of a trash' })
export class RemovedContentConnection {
  @Field(() => [RemovedContentEdge], { description: 'What was deleted, with its places' })
  readonly edges!: readonly RemovedContentEdge[]
  @Field(() => [RemovedContent], { description: 'What was deleted' })
  readonly nodes!: readonly RemovedContent[]
  @Field(() => PageInfo, { description: 'Where the page stands' })
  readonly pageInfo!: PageInfo
}

@InputType({ description: 'A node to delete' })
export class DeleteContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, { description: 'The node; everything below it goes with it' })
  id!: string
}

@ObjectType({ description: 'What came of deleting a node' })
export class DeleteContentNodePayload {
  @Field(() => Int, { description: 'How many nodes are gone: it and everything below it' })
  readonly deleted!: number
  @Field(() => ID, { description: 'The node that was named' })
  readonly id!: string
  @Field(() => ID, { description: 'The tenant it belonged to' })
  readonly tenantId!: string
  @Field(() => ID, { description: 'Its node id: what caches give up' })
  readonly deletedNodeId!: string
  @Field(() => [ID], { description: 'Node ids of it and of what was below it, the first thousand in the order of reading' })
  readonly deletedNodeIds!: readonly string[]
  @Field(() => RemovedContent, { description: 'What the trash has of it' })
  readonly removed!: RemovedContent
}

@InputType({ description: 'Deleted content to restore' })
export class RestoreContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, { description: 'As `contentTrash` names it' })
  id!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The node above it from now on; left out, the one that was, where it stands at its former place',
  })
  parentId?: string | null
}

@ObjectType({ description: 'What came of restoring a node' })
export class RestoreContentNodePayload {
  @Field(() => ContentNode, { description: 'The node, under its former id' })
  readonly node!: ContentNode
  @Field(() => Int, { description: 'How many nodes are back: it and everything below it' })
  readonly restored!: number
  @Field(() => ID, { description: 'What the trash has no longer' })
  readonly restoredId!: string
}

@InputType({ description: 'Deleted content to remove for ever' })
export class PurgeContentNodeInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, { description: 'As `contentTrash` names it' })
  id!: string
}

@ObjectType({ description: 'What came of purging a node' })
export class PurgeContentNodePayload {
  @Field(() => Int, { description: 'How many nodes are gone for ever' })
  readonly purged!: number
  @Field(() => ID, { description: 'What the trash has no longer' })
  readonly purgedId!: string
}
