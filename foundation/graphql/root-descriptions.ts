import type { GraphQLSchema } from 'graphql'

/** Descriptions of the root types, which belong to no single resolver. */
export const rootDescriptions = {
  Query: 'Read operations. A field that fails is null if it is nullable, and an error states the reason; the other fields are returned.',
  Mutation: 'Write operations, executed one after another. A field that fails is null, and an error states the reason.',
  Subscription: 'Event streams, over WebSocket or as streamed HTTP responses.',
} as const

/** Sets the descriptions of the root types of a schema. */
export function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(rootDescriptions)) {
    const root = schema.getType(name)
    if (root !== undefined) root.description = description
  }
}
