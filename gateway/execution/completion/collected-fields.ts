import {
  type CompositeType,
  type FieldSelection,
  isSubtype,
  type Selection,
  type SelectionSet,
  Variable,
} from '@apollo/federation-internals'

/** A response name of an object: its field, with the selections of all occurrences. */
export interface CollectedField {
  readonly field: FieldSelection
  readonly parent: CompositeType
  readonly inner: SelectionSet[]
}

/** Deferred selections of an object, with their label. */
export interface DeferredSelections {
  readonly label: string
  readonly set: SelectionSet
  readonly parent: CompositeType
}

/** The selections that apply to objects of a type. */
export interface CollectedSelections {
  /** by response name, in order of first occurrence */
  readonly fields: ReadonlyMap<string, CollectedField>
  readonly deferred: readonly DeferredSelections[]
}

/**
 * Collects the fields of objects of a type (GraphQL specification, 6.3.2) and their deferred selections, by the type of the object only. @param
 * conditions - values of the variables of @skip and @include
 */
export function collectedFields(
  selections: readonly SelectionSet[],
  type: CompositeType,
  conditions: ReadonlyMap<string, boolean>,
): CollectedSelections {
  const collected = new Map<string, CollectedField>()
  const deferred: DeferredSelections[] = []
  const collect = (set: SelectionSet, parent: CompositeType): void => {
    for (const selection of set.selections()) {
      if (isExcluded(selection, conditions)) continue
      if (selection.kind === 'FieldSelection') {
        const name = selection.element.responseName()
        const entry = collected.get(name) ?? { field: selection, parent, inner: [] }
        if (selection.selectionSet !== undefined) entry.inner.push(selection.selectionSet)
        collected.set(name, entry)
      } else {
        const { typeCondition } = selection.element
        if (typeCondition !== undefined && !isSubtype(typeCondition, type)) continue
        const label = deferLabel(selection)
        if (label === undefined) collect(selection.selectionSet, typeCondition ?? parent)
        else deferred.push({ label, set: selection.selectionSet, parent: typeCondition ?? parent })
      }
    }
  }
  for (const set of selections) collect(set, type)
  return { fields: collected, deferred }
}

function deferLabel({ element }: Selection): string | undefined {
  const argument: unknown = element.appliedDirectives.find(({ name }) => name === 'defer')?.arguments().label
  return typeof argument === 'string' ? argument : undefined
}

function isExcluded({ element }: Selection, conditions: ReadonlyMap<string, boolean>): boolean {
  return element.appliedDirectives.some((directive) => {
    if (directive.name !== 'skip' && directive.name !== 'include') return false
    const argument: unknown = directive.arguments().if
    const value = argument instanceof Variable ? conditions.get(argument.name) : argument === true
    return directive.name === 'skip' ? value === true : value !== true
  })
}
