import { type GraphQLSchema, getNullableType } from 'graphql'

/**
 * Makes each root field of queries and mutations nullable. Any of them may be refused, and the error of a non-null root field would discard the
 * results of the other fields, including completed mutations.
 */
export function makeRootsNullable(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type)
}
