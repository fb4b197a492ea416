import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import { appliedTo, fieldSet, graphNames } from './join-directives.ts'

/** Returns the fields that `@requires` of a field names in a subgraph, without keys, as paths: `size`, `size.width`. */
export type RequiredPaths = (subgraph: string, type: string, field: string) => ReadonlySet<string>

/** @param supergraph - with placeholder names */
export function requiredPaths(supergraph: DocumentNode): RequiredPaths {
  const byField = new Map<string, ReadonlySet<string>>()
  const subgraphs = graphNames(supergraph)
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
    const joined = appliedTo(definition.directives, 'join__type')
    for (const { name, directives } of definition.fields ?? [])
      for (const { graph, requires } of appliedTo(directives, 'join__field')) {
        const keys = new Set(joined.filter((each) => each.graph === graph).flatMap(({ key }) => pathsIn(key)))
        const paths = new Set(pathsIn(requires).filter((path) => !keys.has(path)))
        if (paths.size > 0) byField.set(`${subgraphs.get(graph)} ${definition.name.value}.${name.value}`, paths)
      }
  }
  return (subgraph, type, field) => byField.get(`${subgraph} ${type}.${field}`) ?? noPaths
}

const noPaths: ReadonlySet<string> = new Set()

/** @param text - field set of a directive; other values have no paths */
function pathsIn(text: unknown): readonly string[] {
  const fields = typeof text === 'string' ? fieldSet(text) : undefined
  return fields === undefined ? [] : pathsOf(fields, '')
}

const pathsOf = ({ selections }: SelectionSetNode, around: string): readonly string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return []
    if (selection.kind === Kind.INLINE_FRAGMENT) return pathsOf(selection.selectionSet, around)
    const path = around + selection.name.value
    return [path, ...(selection.selectionSet === undefined ? [] : pathsOf(selection.selectionSet, `${path}.`))]
  })
