import { type DocumentNode, Kind } from 'graphql'
import { appliedTo, fieldSet, graphNames } from './join-directives.ts'

/** The keys by which subgraphs resolve entities. */
export interface ResolvableEntities {
  /** Whether a subgraph resolves a concrete type by its own key; false if it has it only as an `@interfaceObject`. */
  isOwn(subgraph: string, type: string): boolean
  /** Whether a representation has a complete key for a subgraph. */
  hasKey(subgraph: string, representation: Readonly<Record<string, unknown>>): boolean
}

/** Reads the keys of a supergraph. */
export function resolvableEntities(supergraph: DocumentNode): ResolvableEntities {
  const names = graphNames(supergraph)
  const own = new Set<string>()
  /** key fields by subgraph and type */
  const keys = new Map<unknown, Map<unknown, string[][]>>()
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    const { value: type } = definition.name
    for (const { graph, key, resolvable } of appliedTo(definition.directives, 'join__type')) {
      const fields = typeof key === 'string' ? fieldSet(key)?.selections : undefined
      if (fields === undefined) continue
      const subgraph = names.get(graph)
      if (definition.kind === Kind.OBJECT_TYPE_DEFINITION && resolvable !== false) own.add(`${subgraph} ${type}`)
      const ofSubgraph = keys.get(subgraph) ?? new Map<unknown, string[][]>()
      const top = fields.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []))
      keys.set(subgraph, ofSubgraph.set(type, [...(ofSubgraph.get(type) ?? []), top]))
    }
  }
  return {
    isOwn: (subgraph, type) => own.has(`${subgraph} ${type}`),
    hasKey: (subgraph, representation) =>
      keys
        .get(subgraph)
        ?.get(representation.__typename)
        ?.some((key) => key.every((name) => Object.hasOwn(representation, name))) === true,
  }
}
