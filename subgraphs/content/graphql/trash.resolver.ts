import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { maxReportedIds, pageOf } from '../../../foundation/graphql/connection.ts'
import { Cursors } from '../../../foundation/graphql/cursors.ts'
import { nodeIdOf } from '../../../foundation/graphql/node-id.ts'
import { forwardArguments, pageWindow } from '../../../foundation/graphql/page-window.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { editors, writableTenant } from '../tenant.ts'
import { expiryOf, type TreeTrash } from '../trash/tree-trash.ts'
import type { ReadWritten } from '../tree/read-tree.ts'
import type { RemovedSubtree } from '../tree/removed-subtree.ts'
import type { ContentResolver } from './content.resolver.ts'
import { tenantDescription } from './node.input.ts'
import { ContentNode } from './node.type.ts'
import {
  DeleteContentNodeInput,
  DeleteContentNodePayload,
  PurgeContentNodeInput,
  PurgeContentNodePayload,
  RemovedContent,
  RemovedContentConnection,
  RestoreContentNodeInput,
  RestoreContentNodePayload,
} from './trash.type.ts'

const removedOfPage = { defaultSize: 20, maxSize: 100 } as const

@ArgsType()
class TrashArgs extends forwardArguments(removedOfPage) {}

/** Deletion and restoration by administrators, each in the tenants of its groups. */
@Resolver(() => RemovedContent)
export class TrashResolver {
  readonly #trash: TreeTrash
  readonly #reading: ContentResolver
  readonly #shown: ReadWritten
  readonly #retentionDays: number

  constructor(trash: TreeTrash, reading: ContentResolver, shown: ReadWritten, retentionDays: number) {
    this.#trash = trash
    this.#reading = reading
    this.#shown = shown
    this.#retentionDays = retentionDays
  }

  @Query(() => RemovedContentConnection, { description: 'Deleted content of a tenant’s tree, most recently deleted first.' })
  @Authorise(...editors)
  async contentTrash(
    @Arg('tenantId', () => ID, { nullable: true, description: tenantDescription }) tenantId: string | null,
    @Args(() => TrashArgs) page: TrashArgs,
    @Ctx() { principal, signal }: RequestContext,
  ): Promise<RemovedContentConnection> {
    const of = writableTenant(principal, tenantId)
    const cursors = new Cursors(['contentTrash', of])
    const window = pageWindow(page, removedOfPage, (cursor, argument) => cursors.idOf(cursor, argument, isUuid))
    const rows = await this.#trash.list(of, window.beyond, window.limit, signal)
    return pageOf(
      rows.map((each) => this.#typeOf(of, each)),
      window,
      ({ id }) => cursors.of(id),
    )
  }

  @FieldResolver(() => ContentNode, {
    nullable: true,
    description: 'The parent below which the content is restored; null when that node was deleted, and for a root.',
  })
  parent(@Root() { tenantId, parentId }: RemovedContent, @Ctx() context: RequestContext): Promise<ContentNode | null> | null {
    return parentId === null ? null : this.#reading.node(tenantId, parentId, context)
  }

  @Mutation(() => DeleteContentNodePayload, { description: 'Deletes a node and its descendants; they can be restored from the trash.' })
  @Authorise(...editors)
  async deleteContentNode(
    @Arg('input', () => DeleteContentNodeInput) { tenantId, id }: DeleteContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteContentNodePayload> {
    const of = writableTenant(context.principal, tenantId)
    const { ids, ...removed } = await this.#trash.remove(of, id, context)
    return {
      deleted: removed.nodesCount,
      id,
      tenantId: of,
      deletedNodeId: nodeIdOf('ContentNode', of, id),
      deletedNodeIds: ids.slice(0, maxReportedIds).map((each) => nodeIdOf('ContentNode', of, each)),
      removed: this.#typeOf(of, removed),
    }
  }

  @Mutation(() => RestoreContentNodePayload, {
    description: 'Restores a deleted node and its descendants to the tree, all or none.',
  })
  @Authorise(...editors)
  async restoreContentNode(
    @Arg('input', () => RestoreContentNodeInput) { tenantId, id, parentId }: RestoreContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<RestoreContentNodePayload> {
    const of = writableTenant(context.principal, tenantId)
    const { node, restored } = await this.#trash.restore(of, id, parentId ?? undefined, context)
    return { node: await this.#shown(of, node, context.signal), restored, restoredId: id }
  }

  @Mutation(() => PurgeContentNodePayload, { description: 'Removes deleted content permanently before it expires.' })
  @Authorise(...editors)
  async purgeContentNode(
    @Arg('input', () => PurgeContentNodeInput) { tenantId, id }: PurgeContentNodeInput,
    @Ctx() context: RequestContext,
  ): Promise<PurgeContentNodePayload> {
    const { nodesCount } = await this.#trash.purge(writableTenant(context.principal, tenantId), id, context)
    return { purged: nodesCount, purgedId: id }
  }

  #typeOf(of: string, { subject, service, removedAt, ...removed }: RemovedSubtree): RemovedContent {
    return {
      ...removed,
      tenantId: of,
      removedAt,
      removedBy: subject === null ? null : { id: subject },
      removedByService: service,
      expiresAt: expiryOf(removedAt, this.#retentionDays),
    }
  }
}
