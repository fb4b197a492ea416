import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { Requirement } from '../supergraph/authorization-requirements.ts'

/** The caller, for policy decisions. */
export type PolicyContext = Pick<RequestContext, 'principal' | 'requestId' | 'address' | 'signal'>

/**
 * Decides policies (`@policy`). @param policies - required policies
 * @returns those that the caller fulfils
 */
export type GrantedPolicies<Context = PolicyContext> = (
  policies: readonly string[],
  context: Context,
) => Promise<readonly string[]> | readonly string[]

/** time limit of a policy decision */
const policyMs = 5000

/**
 * Returns the requirements that a caller does not fulfil, in order. Without a decision function no caller fulfils a policy. @throws
 * {EngineUnavailable} if the decision fails; nothing is shown then
 */
export async function unmetRequirements(
  requirements: readonly Requirement[],
  context: RequestContext,
  granted: GrantedPolicies<RequestContext> | undefined,
): Promise<readonly Requirement[]> {
  const { principal, signal } = context
  const scopes = scopesOf(principal)
  const named = [...new Set(requirements.flatMap((each) => (each.kind === 'policies' ? each.anyOf.flat() : [])))]
  const policies = new Set<string>()
  if (named.length > 0 && granted !== undefined) {
    try {
      const decision = Promise.resolve(granted(named, context))
      const timeoutError = (): unknown =>
        signal.aborted ? signal.reason : new Error(`the decision on policies took longer than ${policyMs} ms`)
      for (const policy of await withTimeout(decision, policyMs, signal, timeoutError)) policies.add(policy)
    } catch (error) {
      throw error instanceof Fault ? error : new EngineUnavailable('policy decision', error)
    }
  }
  const isMet = (requirement: Requirement): boolean => {
    if (requirement.kind === 'authenticated') return isAuthenticated(principal)
    const held = requirement.kind === 'scopes' ? scopes : policies
    return requirement.anyOf.some((group) => group.every((name) => held.has(name)))
  }
  return requirements.filter((requirement) => !isMet(requirement))
}

const isAuthenticated = ({ service, user }: Principal): boolean => service !== undefined || user !== undefined

const scopesOf = ({ service, user }: Principal): ReadonlySet<string> => new Set([...(service?.scopes ?? []), ...(user?.scopes ?? [])])
