import type { GraphQLSchema } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { policiesByField } from '../authorization/policy-field.ts'
import type { RefusalsIn } from '../authorization/refusal-errors.ts'
import type { GrantedPolicies } from '../authorization/unmet-requirements.ts'
import type { Requirements } from '../supergraph/authorization-requirements.ts'

/** Options of authorization. The caller of the executor authenticates principals and their scopes; policies are decided here. */
export interface AuthorizationOptions {
  readonly policies?: GrantedPolicies
  /** field of Query that decides instead: takes `policies: [String!]!` and returns those that the caller fulfils */
  readonly policyField?: string
  /** whether to refuse an operation with an unauthorized field as a whole (default: false) */
  readonly reject?: boolean
  /** default: errors */
  readonly refusalsIn?: RefusalsIn
}

/** The supergraph has authorization directives that the executor's options do not enforce. */
export class UnenforcedAuthorization extends Error {}

/** @throws {UnenforcedAuthorization} naming the directives that would not be enforced */
export function checkAuthorization({ directives, hasPolicies }: Requirements, options: AuthorizationOptions | undefined): void {
  if (options === undefined && directives.length > 0)
    throw new UnenforcedAuthorization(`the supergraph protects fields with ${directives.join(', ')}, but callers are not authenticated`)
  if (hasPolicies && options?.policies === undefined && options?.policyField === undefined)
    throw new UnenforcedAuthorization('the supergraph protects fields by policies, but nothing decides them')
}

/** Returns how policies are decided: by the field of the options, else by their function. @param execute - executes a query without authorization */
export function policyDecision(
  schema: GraphQLSchema,
  options: AuthorizationOptions | undefined,
  execute: Parameters<typeof policiesByField>[2],
): GrantedPolicies<RequestContext> | undefined {
  return options?.policyField === undefined ? options?.policies : policiesByField(schema, options.policyField, execute)
}
