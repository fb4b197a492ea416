import { type DocumentNode, Kind } from 'graphql'
import { fieldSet } from './field-set.ts'
import { appliedTo, graphNames } from './graph-names.ts'

/** By what the subgraphs know objects. */
export interface KnownEntities {
  /** Whether a subgraph finds objects of that very type by a key of theirs; those that it has as an `@interfaceObject` alone it does not. */
  isOwn(subgraph: string, type: string): boolean
  /** Whether a representation has a key by which the subgraph may find its object. */
  hasKey(subgraph: string, representation: Readonly<Record<string, unknown>>): boolean
}

/** Reads it from a supergraph. */
export function knownEntities(supergraph: DocumentNode): KnownEntities {
  const names = graphNames(supergraph)
  const own = new Set<string>()
  /** by subgraph, then by type: the fields of each key */
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
