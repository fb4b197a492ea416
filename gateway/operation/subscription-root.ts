import { type DirectiveNode, type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import { fragmentsOf } from './fragments.ts'

/** The root selection of a subscription. */
export interface SubscriptionRoot {
  /** all occurrences of its only field, also in fragments */
  readonly fields: readonly FieldNode[]
  /** whether a field or fragment has @skip or @include, which the specification forbids (section 5.2.4.1) */
  readonly isConditional: boolean
}

/** @param document - validated: fragments exist and are acyclic */
export function subscriptionRoot(document: DocumentNode, { selectionSet }: OperationDefinitionNode): SubscriptionRoot {
  const fragments = fragmentsOf(document)
  const fields: FieldNode[] = []
  let isConditional = false
  const visited = new Set<string>()

  const gather = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      isConditional ||= selection.directives?.some(isCondition) ?? false
      if (selection.kind === Kind.FIELD) fields.push(selection)
      else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet)
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) gather(fragment.selectionSet)
      }
    }
  }
  gather(selectionSet)
  return { fields, isConditional }
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'
