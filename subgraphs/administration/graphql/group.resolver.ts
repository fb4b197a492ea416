import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { administrators, visibleGroups } from '../roles.ts'
import { Administrator } from './administrator.type.ts'
import { type DelegationResolver, DelegationsArgs } from './delegation.resolver.ts'
import { DelegationConnection, Group } from './delegation.type.ts'
import type { FindAdministrators } from './find-administrators.ts'

@Resolver(() => Group)
export class GroupResolver {
  readonly #delegations: DelegationResolver
  readonly #people: FindAdministrators

  constructor(delegations: DelegationResolver, people: FindAdministrators) {
    this.#delegations = delegations
    this.#people = people
  }

  @Query(() => Group, {
    nullable: true,
    description: 'Returns a group; null when the caller does not administer it. SUPER_ADMIN administers all groups.',
  })
  @Authorise(...administrators)
  group(@Arg('id', () => ID, { description: 'Id of the group.' }) id: string, @Ctx() { principal }: RequestContext): Group | null {
    return groupVisibleTo(principal, id)
  }

  @FieldResolver(() => DelegationConnection, {
    nullable: true,
    description: 'Delegations that are valid in this group, newest first; null when the caller does not administer it.',
  })
  @Authorise(...administrators)
  delegations(
    @Root() { id }: Group,
    @Args(() => DelegationsArgs) args: DelegationsArgs,
    @Ctx() context: RequestContext,
  ): Promise<DelegationConnection> {
    return this.#delegations.listedBy('group', id, args, context)
  }

  @FieldResolver(() => [Administrator], {
    nullable: true,
    description:
      'Administrators with the role GROUP_ADMIN in this group, ordered by e-mail address, at most 1,000. Requires SUPER_ADMIN; null when an external identity provider manages the accounts.',
  })
  @Authorise(userWith('super_admin'))
  administrators(@Root() { id }: Group, @Ctx() context: RequestContext): Promise<readonly Administrator[] | null> {
    return this.#people.ofGroup(id, context)
  }
}

/**
 * Returns a group if the caller may see it. A group consists of its name only: it exists for its administrators and super_admins even
 * without delegations.
 */
export function groupVisibleTo(principal: Principal, id: string): Group | null {
  const visible = visibleGroups(principal)
  return isStorableText(id) && (visible === 'all' || visible.includes(id)) ? { id } : null
}
