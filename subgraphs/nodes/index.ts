import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import { InvalidInput } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { federation, rootDescriptions } from '../../foundation/subgraph/subgraph.ts'
import { tooMany } from '../../foundation/validation/violation.ts'
import { entities } from './entities.ts'
import { type ExecuteInComponent, findNode } from './find-nodes.ts'
import { nodeIdOfReference, type Reference } from './reference.ts'

const maxNodes = 100

const types = Object.entries(entities).map(([type, { description, key }]) => {
  const fields = key.map((part) => `  """${part.description}"""\n  ${part.field}: ${part.type}\n`).join('')
  return `"""${description}"""
type ${type} implements Node @key(fields: "${key.map(({ field }) => field).join(' ')}") {
${fields}  """Global id, for the argument of \`node\`."""
  nodeId: ID!
}`
})

export const nodesSdl = `${federation}

"""An object with a global id, by which it can be fetched again (Relay global object identification)."""
interface Node {
  """Global id, for the argument of \`node\`."""
  nodeId: ID!
}

"""${rootDescriptions.Query}"""
type Query {
  """Returns the object with this global id; null when no object has it. Its fields have the same access rules as elsewhere."""
  node(
    """Global id of the object."""
    id: ID!
  ): Node
  """Returns several objects in the order of the ids; null for each id without an object."""
  nodes(
    """Global ids, at most 100."""
    ids: [ID!]!
  ): [Node]
}

${types.join('\n\n')}
`

export interface Nodes {
  readonly name: 'nodes'
  readonly sdl: string
  readonly schema: GraphQLSchema
}

/**
 * Creates the subgraph for global object identification over the entities of all components. It needs no engine: it converts ids to keys
 * and back, asks the component whether the entity exists, and leaves the other fields to the gateway.
 */
export function createNodes(ask: ExecuteInComponent): Nodes {
  const resolvers = {
    Query: {
      node: (_: unknown, { id }: { readonly id: string }, context: RequestContext): Promise<Reference | null> => findNode(id, context, ask),
      nodes(_: unknown, { ids }: { readonly ids: readonly string[] }, context: RequestContext): readonly Promise<Reference | null>[] {
        if (ids.length > maxNodes) throw new InvalidInput(`\`ids\` must have at most ${maxNodes} items`, [tooMany(['ids'], maxNodes)])
        return ids.map((id) => findNode(id, context, ask))
      },
    },
    ...Object.fromEntries(
      Object.keys(entities).map((type) => [
        type,
        {
          __resolveReference: (reference: Reference): Reference => reference,
          nodeId: (reference: Reference): string => nodeIdOfReference(type, reference),
        },
      ]),
    ),
  }
  return { name: 'nodes', sdl: nodesSdl, schema: buildSubgraphSchema([{ typeDefs: parse(nodesSdl), resolvers }]) }
}
