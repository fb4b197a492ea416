import { type GraphQLSchema, getNullableType } from 'graphql'

/**
 * Lets each root field of a query or a mutation be null. Any of them may be refused (too few rights, an engine that is away, a deadline), and
 * a refusal at a field that cannot be null would empty the whole answer: the other fields of a page, and what other mutations of the same
 * operation have already done.
 */
export function makeRootsNullable(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type)
}
