import { type AuthCheckerFn, Authorized, Directive, Field, ID, ObjectType } from 'type-graphql'
import { Forbidden, messageOf, Unauthenticated } from '../fault.ts'
import type { Principal } from '../principal.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Declares who may read or call a field: `@Authorise(serviceWith('submit'))`. A field without a rule is public; docs/security/authorisation.md lists
 * all rules.
 */
export interface AuthorisationRule {
  /** for messages and for the documentation: "service with scope submit" */
  readonly who: string
  /** @param root - parent object of the field */
  readonly allows: (principal: Principal, root: unknown) => boolean
}

export const serviceWith = (...scopes: readonly string[]): AuthorisationRule => ({
  who: `a service key with scope ${scopes.join(' or ')}`,
  allows: ({ service }) => scopes.some((scope) => service?.scopes.includes(scope)),
})

export const userWith = (...roles: readonly string[]): AuthorisationRule => ({
  who: roles.length === 0 ? 'a signed-in user' : `a user with role ${roles.join(' or ')}`,
  allows: ({ user }) => user !== undefined && (roles.length === 0 || roles.some((role) => user.roles.includes(role))),
})

/** Restricts a field to callers that satisfy at least one of the rules. */
export const Authorise = (...rules: readonly AuthorisationRule[]): PropertyDecorator & MethodDecorator & ClassDecorator =>
  Authorized<AuthorisationRule>([...rules])

/**
 * @throws {Unauthenticated} for an anonymous caller
 * @throws {Forbidden} for an authenticated caller without the right
 */
export function requireOneOf(principal: Principal, rules: readonly AuthorisationRule[], root?: unknown): void {
  if (rules.some((rule) => rule.allows(principal, root))) return
  const message = `This needs ${rules.map((rule) => rule.who).join(', or ')}`
  throw principal.service === undefined && principal.user === undefined ? new Unauthenticated(message) : new Forbidden(message)
}

/** Records that a signed-in user was refused a mutation. */
export type RefusalNote = (mutation: string, context: RequestContext) => Promise<void>

/** @param note - absent: refused mutations are not recorded */
export const authorisationChecker =
  (note?: RefusalNote): AuthCheckerFn<RequestContext, AuthorisationRule> =>
  async ({ context, root, info }, rules) => {
    try {
      requireOneOf(context.principal, rules, root)
    } catch (error) {
      if (note !== undefined && info.parentType.name === 'Mutation' && context.principal.user !== undefined)
        // the mutation stays refused even if the record fails
        await note(info.fieldName, context).catch((cause: unknown) =>
          context.log.warn({ reason: messageOf(cause) }, 'could not record a refused mutation'),
        )
      throw error
    }
    return true
  }

@Directive('@key(fields: "id", resolvable: false)')
@Authorise(userWith('super_admin', 'group_admin', 'reviewer'))
@ObjectType({ description: 'An administrator of the platform, as the identity provider identifies them.' })
export class Administrator {
  @Field(() => ID, { description: 'Subject identifier (`sub`) of the administrator at the identity provider.' })
  id!: string
}
