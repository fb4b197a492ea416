import type { FetchNode } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import type { Entity } from '../../operation/entity.ts'
import type { ResolvableEntities } from '../../supergraph/resolvable-entities.ts'
import { rewriting } from './rewrites.ts'

/**
 * Sets the type names in representations: the interface if its objects are fetched together or the subgraph has it as an `@interfaceObject`. Fields
 * required of a concrete type (`@requires`) do not exist on the interface, so such objects keep their type if the subgraph knows it. @returns whether
 * the subgraph can resolve the object: the plan may be for other types, with fields missing
 */
export function typenameSetter(
  { serviceName, requires = [], inputRewrites }: FetchNode,
  supergraph: GraphQLSchema,
  { isOwn, hasKey }: ResolvableEntities,
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
