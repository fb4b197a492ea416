import { type ConstDirectiveNode, type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import { argumentsOf } from '../../supergraph/linked-directives.ts'
import { fieldSet } from './field-set.ts'

/** What a field of a type requires of its object in a subgraph (`@requires`), as paths: `size`, `size.width`. */
export type RequiredPaths = (subgraph: string, type: string, field: string) => ReadonlySet<string>

/** @param supergraph - with the names that are fetched */
export function requiredPaths({ definitions }: DocumentNode): RequiredPaths {
  const byField = new Map<string, ReadonlySet<string>>()
  const subgraphs = new Map<unknown, unknown>()
  for (const definition of definitions)
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'join__Graph')
      for (const { name, directives } of definition.values ?? [])
        for (const applied of named(directives, 'join__graph')) subgraphs.set(name.value, applied.name)
  for (const definition of definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    for (const { name, directives } of definition.fields ?? [])
      for (const { graph, requires } of named(directives, 'join__field')) {
        const fields = typeof requires === 'string' ? fieldSet(requires) : undefined
        if (fields !== undefined) byField.set(`${subgraphs.get(graph)} ${definition.name.value}.${name.value}`, new Set(pathsIn(fields)))
      }
  }
  return (subgraph, type, field) => byField.get(`${subgraph} ${type}.${field}`) ?? none
}

const none: ReadonlySet<string> = new Set()

const named = (directives: readonly ConstDirectiveNode[] = [], wanted: string) =>
  directives.filter(({ name }) => name.value === wanted).map(argumentsOf)

const pathsIn = ({ selections }: SelectionSetNode, around = ''): readonly string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return []
    if (selection.kind === Kind.INLINE_FRAGMENT) return pathsIn(selection.selectionSet, around)
    const path = around + selection.name.value
    return [path, ...(selection.selectionSet === undefined ? [] : pathsIn(selection.selectionSet, `${path}.`))]
  })
