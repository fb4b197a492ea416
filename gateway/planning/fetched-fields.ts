import type { FetchNode } from '@apollo/query-planner'
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
  visit,
} from 'graphql'

/** A field that a fetch requests of its entities, or of the root. */
export interface FetchedField {
  /** type of the entity; empty at the root */
  readonly type: string
  readonly name: string
  /** directives of the field and of the fragments around it */
  readonly directives: readonly DirectiveNode[]
}

/** @param document - document of a fetch, fragments expanded */
export function fetchedFields({ definitions }: DocumentNode): readonly FetchedField[] {
  const fields: FetchedField[] = []
  const walk = (set: SelectionSetNode, type: string, around: readonly DirectiveNode[]): void => {
    for (const selection of set.selections) {
      const directives = [...around, ...(selection.directives ?? [])]
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, selection.typeCondition?.name.value ?? type, directives)
      else if (selection.kind === Kind.FIELD) {
        const { name, selectionSet } = selection
        if (name.value === '_entities' && selectionSet !== undefined) walk(selectionSet, type, directives)
        else fields.push({ type, name: name.value, directives })
      }
    }
  }
  for (const definition of definitions) if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, '', [])
  return fields
}

/** Restricts a fetch of entities to some of its fields. @param document - its document, fragments expanded */
export function narrowedFetch(node: FetchNode, document: DocumentNode, isKept: (type: string, name: string) => boolean): FetchNode {
  const narrowedSet = (set: SelectionSetNode, type: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return []
      if (selection.kind === Kind.FIELD)
        return selection.name.value === '__typename' || isKept(type, selection.name.value) ? [selection] : []
      const selectionSet = narrowedSet(selection.selectionSet, selection.typeCondition?.name.value ?? type)
      return selectionSet.selections.length === 0 ? [] : [{ ...selection, selectionSet }]
    }),
  })
  const entities = visit(document, {
    Field: (field) => {
      if (field.name.value !== '_entities' || field.selectionSet === undefined) return undefined
      return { ...field, selectionSet: narrowedSet(field.selectionSet, '') }
    },
  })
  const variables = new Set<string>()
  visit(entities, { VariableDefinition: () => false, Variable: ({ name }) => void variables.add(name.value) })
  const narrowed = visit(entities, {
    VariableDefinition: (definition) => (variables.has(definition.variable.name.value) ? false : null),
  })
  return {
    ...withDocument(node, narrowed),
    ...(node.variableUsages === undefined ? {} : { variableUsages: node.variableUsages.filter((name) => variables.has(name)) }),
  }
}

/** Replaces the document of a fetch. */
export function withDocument({ operationDocumentNode, ...node }: FetchNode, document: DocumentNode): FetchNode {
  return { ...node, operation: stripIgnoredCharacters(print(document)) }
}
