import type { GraphQLSchema } from 'graphql'

/** Descriptions of the root types, which all components share. */
export const rootDescriptions = {
  Query: 'Queries. A refused field is null and has an entry in errors; the other fields are returned',
  Mutation: 'Mutations, executed one after the other. A refused field is null and has an entry in errors',
  Subscription: 'Subscriptions, over WebSocket or as streamed HTTP responses',
} as const

/** Sets the descriptions of the root types, for which resolvers have no place. */
export function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(rootDescriptions)) {
    const root = schema.getType(name)
    if (root !== undefined) root.description = description
  }
}
