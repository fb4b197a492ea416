import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { fragmentsOf } from './fragments.ts'

interface Operation {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
}

/**
 * An operation whose conditional objects (`owner @include(if: $a) { name @include(if: $b) }`) are fetched whatever is asked of them. The
 * planner adds the conditions of an object's fields to its own, so that it would not be fetched where none of its fields is wanted; but then
 * it is an object without fields, and not null. A type name without a condition keeps the two apart.
 * @returns the same operation where nothing has to be added
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
