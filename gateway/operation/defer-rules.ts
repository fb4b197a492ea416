import { type ASTVisitor, GraphQLError, Kind, OperationTypeNode, type ValidationContext, type ValidationRule, visit } from 'graphql'
import { argumentOf, isDefer } from './deferred-fragments.ts'

/** Root fields of a mutation run serially, and events of a subscription are separate results. */
const places = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(operation) {
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return
    for (const node of [operation, ...context.getRecursivelyReferencedFragments(operation)])
      visit(node, {
        Directive(directive) {
          if (isDefer(directive)) context.reportError(new GraphQLError('@defer cannot be used in a subscription.', { nodes: directive }))
        },
      })
  },
  Directive(directive) {
    if (isDefer(directive) && context.getParentType() === context.getSchema().getMutationType())
      context.reportError(new GraphQLError('@defer cannot be used at the root of a mutation.', { nodes: directive }))
  },
})

/** Clients identify deferred results by literal labels. */
const labels = (context: ValidationContext): ASTVisitor => {
  const seen = new Set<string>()
  return {
    Directive(directive) {
      const label = isDefer(directive) ? argumentOf(directive, 'label') : undefined
      if (label === undefined || label.kind === Kind.NULL) return
      if (label.kind !== Kind.STRING)
        context.reportError(new GraphQLError('The label of @defer must be a string literal.', { nodes: directive }))
      else if (seen.has(label.value))
        context.reportError(new GraphQLError('The labels of @defer must differ from each other.', { nodes: directive }))
      else seen.add(label.value)
    },
  }
}

/** Validation rules of `@defer` and its labels. @see https://github.com/graphql/graphql-spec/pull/1110 */
export const deferRules: readonly ValidationRule[] = [places, labels]
