import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { fragmentsOf } from '../operation/fragments.ts'

interface Operation {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
}

/**
 * Adds an unconditional type name to conditional objects (`owner @include(if: $a) { name @include(if: $b) }`). The planner adds the conditions of an
 * object's fields to the object itself, so it would not be fetched without a requested field, although it is then an empty object and not null.
 * @returns the same operation if nothing must be added
 */
export function withConditionalObjects({ document, definition }: Operation): Operation {
  const fragments = fragmentsOf(document)
  const mayBeEmpty = ({ selections }: SelectionSetNode): boolean => selections.every(mayBeLeftOut)
  const mayBeLeftOut = (selection: SelectionNode): boolean => {
    if (isConditional(selection)) return true
    if (selection.kind === Kind.FIELD) return false
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    return fragment === undefined || mayBeEmpty(fragment.selectionSet)
  }
  const Field = (field: FieldNode): FieldNode | undefined => {
    const { selectionSet } = field
    if (selectionSet === undefined || !isConditional(field) || !mayBeEmpty(selectionSet)) return undefined
    return { ...field, selectionSet: { ...selectionSet, selections: [typename, ...selectionSet.selections] } }
  }
  const changed = visit(definition, { Field })
  const definitions = document.definitions.map((each) => (each === definition ? changed : visit(each, { Field })))
  return definitions.every((each, index) => each === document.definitions[index])
    ? { document, definition }
    : { document: { ...document, definitions }, definition: changed }
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'skip' || name.value === 'include')
