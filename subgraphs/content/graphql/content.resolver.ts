import { Arg, Args, ArgsType, Ctx, Directive, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import type { TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { loader } from '../../../foundation/graphql/loader.ts'
import { forwardArguments } from '../../../foundation/graphql/page-window.ts'
import { inListTurn } from '../../../foundation/graphql/read-turns.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { ReadableTenants } from '../readable-tenants.ts'
import { ancestorsOf, childrenOf, maxPathLength, nodesOfPage, readingOf, readNode, sourceOf, subtreeOf } from '../tree/read-tree.ts'
import { allInReadTurn } from '../tree/read-turn.ts'
import type { TreeAccess, TreeReading, TreeSizes } from '../tree/tree-access.ts'
import { ContentNode, ContentNodeConnection, ContentSubtreeConnection } from './node.type.ts'
import { Tenant } from './tenant.type.ts'

const tenantArgument = { nullable: true, description: 'Id of the tenant; by default that of the token, otherwise `default`.' } as const

/** Cursors contain the version of the tree. */
@ArgsType()
class PageArgs extends forwardArguments(nodesOfPage) {}

/** Returns the ids of the ancestors of a node, nearest first; batched per request. */
function idsAbove(node: ContentNode, context: RequestContext): Promise<readonly string[]> {
  const { view } = node
  const { tenant, number } = view.version
  return loader<ContentNode, readonly string[]>(context, `ancestors in ${tenant}, version ${number}`, (nodes) =>
    inListTurn(context, () => ancestorsOf(view, nodes, maxPathLength - 1, context.signal)),
  ).load(node)
}

/** Public reads of content. */
@Resolver(() => ContentNode)
export class ContentResolver {
  readonly #access: TreeAccess
  readonly #tenants: ReadableTenants
  readonly #sizes: TreeSizes

  constructor(access: TreeAccess, tenants: ReadableTenants, sizes: TreeSizes) {
    this.#access = access
    this.#tenants = tenants
    this.#sizes = sizes
  }

  @Query(() => ContentNode, { nullable: true, description: 'Returns one node; null when the tenant has no node with this id.' })
  async contentNode(
    @Arg('tenantId', () => ID, tenantArgument) tenantId: string | null,
    @Arg('id', () => ID, { description: 'Id of the node.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<ContentNode | null> {
    return this.node((await this.#tenants.of(context.principal, tenantId)).tree, id, context)
  }

  @Query(() => ContentSubtreeConnection, {
    nullable: true,
    description:
      'Returns a node and its descendants in pre-order, in pages; all pages show the same version of the tree. Null when the node does not exist.',
  })
  async contentSubtree(
    @Arg('tenantId', () => ID, tenantArgument) tenantId: string | null,
    @Arg('id', () => ID, { nullable: true, description: 'Id of the node; by default the root.' }) id: string | null,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<ContentSubtreeConnection | null> {
    const { tree } = await this.#tenants.of(context.principal, tenantId)
    const subtree = await subtreeOf(this.#access, this.#sizes, tree, id, page, context)
    if (subtree === undefined) return null
    const { reading, ...connection } = subtree
    return { ...connection, ...sourceOf(reading) }
  }

  @FieldResolver(() => ContentNodeConnection, {
    nullable: true,
    description: 'Direct children in their order; null when they cannot be read.',
  })
  children(
    @Root() node: ContentNode,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<ContentNodeConnection> {
    const at = (version: number): Promise<TreeReading> => readingOf(this.#access, node.tenantId, version, context.signal)
    return childrenOf(node, page, at, context)
  }

  // a hundred ids of each of a thousand nodes
  @Directive('@cost(weight: 20)')
  @FieldResolver(() => [ID], { description: 'Ids from the root to the node itself; limited to the last 100.' })
  async path(@Root() node: ContentNode, @Ctx() context: RequestContext): Promise<readonly string[]> {
    return (await idsAbove(node, context)).toReversed().concat(node.id)
  }

  @FieldResolver(() => [ContentNode], { description: 'Ancestors from the root to the parent; limited to the last 99.' })
  async ancestors(@Root() node: ContentNode, @Ctx() context: RequestContext): Promise<readonly ContentNode[]> {
    const { view } = node
    const above = await idsAbove(node, context)
    const read = await allInReadTurn(context, () => view.nodes(above, context.signal))
    const nodes = new Map(read.map((each) => [each.id, each]))
    return [...above].reverse().flatMap((id) => {
      const each = nodes.get(id)
      return each === undefined ? [] : [readNode(each, node)]
    })
  }

  @FieldResolver(() => ContentNode, { nullable: true, description: 'Parent of the node; null for the root.' })
  async parent(@Root() node: ContentNode, @Ctx() context: RequestContext): Promise<ContentNode | null> {
    const { parentId, view } = node
    if (parentId === null) return null
    const { tenant, number } = view.version
    const above = await loader<string, TreeNode | undefined>(context, `content nodes of ${tenant} in version ${number}`, async (ids) => {
      const read = await allInReadTurn(context, () => view.nodes(ids, context.signal))
      const nodes = new Map(read.map((each) => [each.id, each]))
      return ids.map((each) => nodes.get(each))
    }).load(parentId)
    return above === undefined ? null : readNode(above, node)
  }

  @FieldResolver(() => Tenant, { description: 'The tenant of the node.' })
  tenant(@Root() { tenantId }: ContentNode): Tenant {
    return { id: tenantId }
  }

  @FieldResolver(() => Boolean, { description: 'Whether `path` is shortened because the node has more ancestors.' })
  pathTruncated(@Root() { depth }: ContentNode): boolean {
    return depth >= maxPathLength
  }

  /** Returns a node by key; null when it does not exist or the caller may not read its tenant. */
  async readable(tenant: string, id: string, context: RequestContext): Promise<ContentNode | null> {
    return this.node((await this.#tenants.of(context.principal, tenant)).tree, id, context)
  }

  /** Returns a node of a tenant that the caller may read, batched per request; null when it does not exist. */
  async node(tenant: string, id: string, context: RequestContext): Promise<ContentNode | null> {
    const match = await loader<string, { readonly node: TreeNode; readonly reading: TreeReading } | undefined>(
      context,
      `content nodes of ${tenant}`,
      (ids) =>
        this.#access.latest(
          tenant,
          async (reading) => {
            const read = reading === undefined ? [] : await allInReadTurn(context, () => reading.view.nodes(ids, context.signal))
            const nodes = new Map(read.map((node) => [node.id, node]))
            return ids.map((each) => {
              const node = nodes.get(each)
              return node && reading && { node, reading }
            })
          },
          context.signal,
        ),
    ).load(id)
    return match === undefined ? null : readNode(match.node, match.reading)
  }
}
