import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql'

/** Returns the fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)
  return fragments
}

/** Expands the named fragments of a document. */
export function withoutSpreads(document: DocumentNode): DocumentNode {
  const fragments = fragmentsOf(document)
  const inlined = <Node extends FragmentDefinitionNode | OperationDefinitionNode>(node: Node): Node =>
    visit(node, {
      FragmentSpread: ({ name, directives = [] }) => {
        const fragment = fragments.get(name.value)
        if (fragment === undefined) return undefined
        const { typeCondition, selectionSet } = inlined(fragment)
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet }
      },
    })
  return {
    ...document,
    definitions: document.definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [inlined(each)] : [])),
  }
}
