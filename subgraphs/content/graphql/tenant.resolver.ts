import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { loader } from '../../../foundation/graphql/loader.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { ReadableTenants } from '../readable-tenants.ts'
import { readNode, sourceOf } from '../tree/read-tree.ts'
import type { TreeAccess, TreeReading, TreeSizes } from '../tree/tree-access.ts'
import { ContentRoot } from './node.type.ts'
import { Tenant, TenantStatistics } from './tenant.type.ts'

/** Tenants and the roots of their trees. */
@Resolver(() => Tenant)
export class TenantResolver {
  readonly #access: TreeAccess
  readonly #tenants: ReadableTenants
  readonly #sizes: TreeSizes

  constructor(access: TreeAccess, tenants: ReadableTenants, sizes: TreeSizes) {
    this.#access = access
    this.#tenants = tenants
    this.#sizes = sizes
  }

  @Query(() => Tenant, { description: 'Returns a tenant, whether or not it has a tree.' })
  async tenant(
    @Arg('id', () => ID, { nullable: true, description: 'Id of the tenant; by default that of the token, otherwise `default`.' }) id:
      | string
      | null,
    @Ctx() { principal }: RequestContext,
  ): Promise<Tenant> {
    return { id: (await this.#tenants.of(principal, id, 'id')).id }
  }

  @Query(() => ContentRoot, { nullable: true, description: 'Returns the root of a tenant’s tree; null when the tenant has no tree.' })
  async contentRoot(
    @Arg('tenantId', () => ID, { nullable: true, description: 'Id of the tenant; by default that of the token, otherwise `default`.' })
    tenantId: string | null,
    @Ctx() context: RequestContext,
  ): Promise<ContentRoot | null> {
    return this.#rootOf((await this.#tenants.of(context.principal, tenantId)).tree, context)
  }

  @FieldResolver(() => ContentRoot, { nullable: true, description: 'Root of the tenant’s tree; null when it has no tree.' })
  async root(@Root() { id }: Tenant, @Ctx() context: RequestContext): Promise<ContentRoot | null> {
    return this.#rootOf((await this.#tenants.of(context.principal, id)).tree, context)
  }

  @FieldResolver(() => TenantStatistics, { nullable: true, description: 'Size of the tenant’s tree; null when it has no tree.' })
  async statistics(@Root() { id }: Tenant, @Ctx() context: RequestContext): Promise<TenantStatistics | null> {
    const measured = async (reading: TreeReading | undefined): Promise<TenantStatistics | null> => {
      if (reading === undefined) return null
      const { number, at } = reading.view.version
      return { ...(await this.#sizes.of(reading.view, context)), version: number, changedAt: at }
    }
    return this.#access.latest((await this.#tenants.of(context.principal, id)).tree, measured, context.signal)
  }

  /** Reads the root once per request, for any number of nodes. */
  #rootOf(tenant: string, context: RequestContext): Promise<ContentRoot | null> {
    return loader<string, ContentRoot | null>(context, 'content roots', (tenants) =>
      Promise.all(tenants.map((each) => this.#access.latest(each, (reading) => contentRootOf(reading, context.signal), context.signal))),
    ).load(tenant)
  }
}

async function contentRootOf(reading: TreeReading | undefined, signal: AbortSignal): Promise<ContentRoot | null> {
  const [root] = (await reading?.view.slice(undefined, 1, signal)) ?? []
  return reading === undefined || root === undefined ? null : { root: readNode(root, reading), ...sourceOf(reading) }
}
