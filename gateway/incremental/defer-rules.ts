import { type ASTVisitor, GraphQLError, Kind, OperationTypeNode, type ValidationContext, type ValidationRule, visit } from 'graphql'
import { argumentOf, isDefer } from './deferred-fragments.ts'

/** Fields at the root of a mutation follow one another, and the events of a subscription are answers already. */
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

/** By its label, which is a text in the document, a client tells a part from others. */
const labels = (context: ValidationContext): ASTVisitor => {
  const known = new Set<string>()
  return {
    Directive(directive) {
      const label = isDefer(directive) ? argumentOf(directive, 'label') : undefined
      if (label === undefined || label.kind === Kind.NULL) return
      if (label.kind !== Kind.STRING) context.reportError(new GraphQLError('The label of @defer must be a text.', { nodes: directive }))
      else if (known.has(label.value))
        context.reportError(new GraphQLError('The labels of @defer must differ from each other.', { nodes: directive }))
      else known.add(label.value)
    },
  }
}

/**
 * What may be deferred, and what parts may be called.
 * @see https://github.com/graphql/graphql-spec/pull/1110
 */
export const deferRules: readonly ValidationRule[] = [places, labels]
