import type { GraphQLSchema } from 'graphql'

/** What stands above the fields of all components where one reads the schema. */
export const rootDescriptions = {
  Query: 'What can be asked. A field that is refused is null beside the answers of the others, and its error says why',
  Mutation: 'What can be changed, one after the other. A field that is refused is null, and its error says why',
  Subscription: 'What can be followed, over WebSocket or in HTTP responses that go on',
} as const

/** Says it on the roots of a schema, which resolvers have no place for. */
export function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(rootDescriptions)) {
    const root = schema.getType(name)
    if (root !== undefined) root.description = description
  }
}
