import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { ReadableTenants } from '../readable-tenants.ts'
import { editors, writableTenant } from '../tenant.ts'
import { tenant } from './node.input.ts'

@InputType({ description: 'A link to the content of a private tenant.' })
export class CreateContentLinkInput {
  @Field(() => ID, { nullable: true, description: tenant })
  tenantId?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the node that the link shows first; by default the root. The link opens the whole tenant.',
  })
  nodeId?: string | null
  @Field(() => DateTime, { description: 'End of the link, at most 30 days ahead.' })
  expiresAt!: Date
}

@ObjectType({ description: 'A signed link. It cannot be revoked before its end.' })
export class CreateContentLinkPayload {
  @Field(() => String, { description: 'Absolute URL of the reader with the link (REST_PUBLIC_URLS).' })
  url!: string
  @Field(() => String, { description: 'The signed link itself, for `?access=` or the header X-Content-Access of REST, GraphQL and files.' })
  access!: string
  @Field(() => DateTime, { description: 'End of the link.' })
  expiresAt!: Date
}

/** Links to private tenants, created by their administrators. */
@Resolver()
export class ContentLinkResolver {
  readonly #parts: { readonly tenants: ReadableTenants; readonly audit: AuditTrail; readonly publicUrl: string }

  constructor(parts: { readonly tenants: ReadableTenants; readonly audit: AuditTrail; readonly publicUrl: string }) {
    this.#parts = parts
  }

  @Mutation(() => CreateContentLinkPayload, {
    description: 'Creates a link with which anyone reads the content of a private tenant until its end.',
  })
  @Authorise(...editors)
  async createContentLink(
    @Arg('input', () => CreateContentLinkInput) { tenantId, nodeId, expiresAt }: CreateContentLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateContentLinkPayload> {
    const { tenants, audit, publicUrl } = this.#parts
    const of = writableTenant(context.principal, tenantId)
    const access = await tenants.link(of, expiresAt)
    const details = { tenant: of, expiresAt: expiresAt.toISOString() }
    await audit.record(context, [{ action: 'content.link.create', outcome: 'done', target: of, details }])
    const query = new URLSearchParams({ tenant: of, ...(nodeId != null && { node: nodeId }), access })
    return { url: `${publicUrl.replace(/\/$/, '')}/?${query}`, access, expiresAt }
  }
}
