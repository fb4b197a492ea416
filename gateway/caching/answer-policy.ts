import { type FragmentDefinitionNode, Kind } from 'graphql'
import { oncePerOperation, type PreparedOperation } from '../operation/prepared-operation.ts'
import { type CachePolicy, cachePolicyOf, type PolicyRules } from './cache-policy.ts'

/** Returns how long the response to an operation may be cached; never for mutations and subscriptions. */
export function answerPolicy(rules: PolicyRules): (operation: PreparedOperation) => CachePolicy | undefined {
  const type = rules.schema.getQueryType()
  if (!rules.hints.any || !type) return () => undefined
  const policyOf = oncePerOperation(({ document, definition: { selectionSet } }) => {
    const fragments = document.definitions.filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
    return { policy: cachePolicyOf({ type, selectionSet, fragments, isRoot: true }, rules) }
  })
  return (operation) => (operation.kind === 'query' ? policyOf(operation).policy : undefined)
}
