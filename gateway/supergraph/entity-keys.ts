import { type DocumentNode, isTypeDefinitionNode, Kind } from 'graphql'
import { fieldSet } from './join-directives.ts'
import { argumentsOf } from './linked-directives.ts'

/** Returns the keys of a type in all subgraphs, as field names. */
export type EntityKeys = (type: string) => readonly (readonly string[])[]

/** Reads the keys of a supergraph. */
export function entityKeysOf(supergraph: DocumentNode): EntityKeys {
  const byType = new Map<string, Map<string, readonly string[]>>()
  for (const definition of supergraph.definitions) {
    if (!isTypeDefinitionNode(definition)) continue
    for (const directive of definition.directives ?? []) {
      const { key } = directive.name.value === 'join__type' ? argumentsOf(directive) : {}
      const fields = typeof key === 'string' ? fieldSet(key)?.selections : undefined
      if (fields === undefined) continue
      const names = fields.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : [])).toSorted()
      const keys = byType.get(definition.name.value) ?? new Map<string, readonly string[]>()
      byType.set(definition.name.value, keys.set(names.join(), names))
    }
  }
  return (type) => [...(byType.get(type)?.values() ?? [])]
}
