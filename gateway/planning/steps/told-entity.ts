import type { FetchNode } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import type { KnownEntities } from '../supergraph/known-entities.ts'
import type { Entity } from './entity.ts'
import { rewriting } from './rewrites.ts'

/**
 * Gives representations the type names by which a plan wants them told to a subgraph: that of an interface where all of its objects are
 * asked for at once, or where the subgraph has them as an `@interfaceObject`. What is required of one type (`@requires`) is no field of the
 * interface, though, and is lost on a subgraph that finds an object by that: such objects keep their own names, where the subgraph knows
 * these.
 * @returns whether the subgraph can find the object: a plan may have been for others alone, and then not all of it has been fetched
 */
export function telling(
  { serviceName, requires = [], inputRewrites }: FetchNode,
  supergraph: GraphQLSchema,
  { isOwn, hasKey }: KnownEntities,
): (representation: Entity) => boolean {
  const rewrite = rewriting(inputRewrites, supergraph)
  const own = new Set<unknown>()
  for (const selection of requires)
    if (selection.kind === 'InlineFragment' && selection.typeCondition !== undefined && isOwn(serviceName, selection.typeCondition))
      own.add(selection.typeCondition)
  return (representation) => {
    if (!own.has(representation.__typename)) rewrite(representation)
    return hasKey(serviceName, representation)
  }
}
