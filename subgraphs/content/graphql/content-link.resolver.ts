import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { latestEnd, type ReadableTenants } from '../readable-tenants.ts'
import type { RevokedLinks } from '../revoked-links.ts'
import { editors, writableTenant } from '../tenant.ts'
import { nodeId as nodeIdRule } from '../tree/node-rules.ts'
import { tenantDescription } from './node.input.ts'

@InputType({ description: 'A link to the content of a private tenant.' })
export class CreateContentLinkInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the node that the link shows first; by default the root. The link gives access to the whole tenant.',
  })
  nodeId?: string | null
  @Field(() => DateTime, { description: 'Time at which the link expires, at most 30 days ahead.' })
  expiresAt!: Date
}

@ObjectType({ description: 'Result of `createContentLink`: the signed link.' })
export class CreateContentLinkPayload {
  @Field(() => String, { description: 'Absolute URL of the reader with the link (REST_PUBLIC_URLS).' })
  url!: string
  @Field(() => String, {
    description: 'Signed part of the link, which REST, GraphQL and file URLs accept as `?access=` or in the header X-Content-Access.',
  })
  access!: string
  @Field(() => String, { description: 'Identifies the link, for `revokeContentLink`.' })
  key!: string
  @Field(() => DateTime, { description: 'Time at which the link expires.' })
  expiresAt!: Date
}

@InputType({ description: 'The link to revoke.' })
export class RevokeContentLinkInput {
  @Field(() => ID, { nullable: true, description: tenantDescription })
  tenantId?: string | null
  @Field(() => String, { description: 'Address, signed part or key of the link, at most 2,000 characters.' })
  link!: string
}

@ObjectType({ description: 'Result of `revokeContentLink`.' })
export class RevokeContentLinkPayload {
  @Field(() => String, { description: 'Key of the link.' })
  key!: string
}

const maxLinkCharacters = 2000
const sentences = {
  wrong_pattern: () => 'The link is malformed, or an earlier release created it and it cannot be revoked',
  mismatch: (of: string) => `The link does not belong to the tenant ${of}: set tenantId to the tenant of the link`,
} as const

interface ContentLinkDependencies {
  readonly tenants: ReadableTenants
  readonly revoked: RevokedLinks
  readonly database: Database
  readonly audit: AuditTrail
  readonly publicUrl: string
  readonly clock: Clock
}

/** Links to private tenants, created by their administrators. */
@Resolver()
export class ContentLinkResolver {
  readonly #parts: ContentLinkDependencies

  constructor(parts: ContentLinkDependencies) {
    this.#parts = parts
  }

  @Mutation(() => CreateContentLinkPayload, {
    description: 'Creates a link with which anyone reads the content of a private tenant until the link expires.',
  })
  @Authorise(...editors)
  async createContentLink(
    @Arg('input', () => CreateContentLinkInput) { tenantId, nodeId, expiresAt }: CreateContentLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateContentLinkPayload> {
    const { tenants, audit, publicUrl } = this.#parts
    const of = writableTenant(context.principal, tenantId)
    const message = nodeIdRule.nullish().safeParse(nodeId).error?.issues[0]?.message
    if (message !== undefined) throw new InvalidInput(message, [{ code: 'wrong_pattern', path: ['nodeId'], message }])
    const { access, key } = await tenants.link(of, expiresAt)
    const details = { tenant: of, key, expiresAt: expiresAt.toISOString() }
    await audit.record(context, [{ action: 'content.link.create', outcome: 'done', target: of, details }])
    const query = new URLSearchParams({ tenant: of, ...(nodeId != null && { node: nodeId }), access })
    return { url: `${publicUrl.replace(/\/$/, '')}/?${query}`, access, key, expiresAt }
  }

  @Mutation(() => RevokeContentLinkPayload, {
    description: 'Revokes a link to a private tenant. Every process refuses it within 5 s; repeating the call changes nothing.',
  })
  @Authorise(...editors)
  async revokeContentLink(
    @Arg('input', () => RevokeContentLinkInput) { tenantId, link }: RevokeContentLinkInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeContentLinkPayload> {
    const { tenants, revoked, database, audit, clock } = this.#parts
    const of = writableTenant(context.principal, tenantId)
    const named = link.length > maxLinkCharacters ? ({ problem: 'wrong_pattern' } as const) : await tenants.keyOf(link.trim(), of)
    if ('problem' in named) {
      const message = sentences[named.problem](of)
      throw new InvalidInput(message, [{ code: named.problem, path: ['link'], message }])
    }
    const { key } = named
    await database.transaction(async (tx) => {
      await revoked.add(tx, key, of, latestEnd(clock))
      await audit.record(context, [{ action: 'content.link.revoke', outcome: 'done', target: of, details: { tenant: of, key } }], tx)
    }, context.deadline)
    revoked.forget()
    return { key }
  }
}
