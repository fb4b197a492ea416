import type { FetchNode } from '@apollo/query-planner'
import { type DirectiveNode, Kind, parse, type SelectionSetNode } from 'graphql'
import { withoutSpreads } from '../fragments.ts'
import type { RequiredPaths } from '../supergraph/required-paths.ts'

/** What is left out of a fetch by the variables of its `@include` and `@skip`. */
export interface LeftOut {
  /** whether nothing is left of it */
  readonly isAll: boolean
  /** @returns whether a path is required of an entity, and by nothing but what is left out: then it has not been fetched */
  isSpared(path: string): boolean
}

/** The value of a variable. */
type VariableValue = (name: string) => unknown

interface Selected {
  readonly conditions: readonly ((variable: VariableValue) => boolean)[]
  readonly requires: ReadonlySet<string>
}

/** @returns undefined for a fetch of which nothing can be left out */
export function leavingOut(
  { operation, serviceName }: FetchNode,
  required: RequiredPaths,
): ((variable: VariableValue) => LeftOut) | undefined {
  if (!/@(?:include|skip)\b/.test(operation)) return undefined
  const selected = fieldsOf(operation, (type, field) => required(serviceName, type, field))
  return (variable) => {
    const left = selected.filter(({ conditions }) => conditions.every((isMet) => isMet(variable)))
    const out = selected.filter((each) => !left.includes(each))
    return {
      isAll: left.length === 0,
      isSpared: (path) => out.some(({ requires }) => requires.has(path)) && !left.some(({ requires }) => requires.has(path)),
    }
  }
}

/** The fields that are fetched of the entities, or of the root. */
function fieldsOf(operation: string, required: (type: string, field: string) => ReadonlySet<string>): readonly Selected[] {
  const found: Selected[] = []
  const walk = (set: SelectionSetNode, type: string, around: Selected['conditions']): void => {
    for (const selection of set.selections) {
      const conditions = [...around, ...(selection.directives ?? []).flatMap(conditionOf)]
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, selection.typeCondition?.name.value ?? type, conditions)
      else if (selection.kind === Kind.FIELD) {
        if (selection.name.value === '_entities' && selection.selectionSet !== undefined) walk(selection.selectionSet, type, conditions)
        else found.push({ conditions, requires: required(type, selection.name.value) })
      }
    }
  }
  for (const definition of withoutSpreads(parse(operation, { noLocation: true })).definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, '', [])
  return found
}

function conditionOf({ name, arguments: given = [] }: DirectiveNode): Selected['conditions'] {
  if (name.value !== 'include' && name.value !== 'skip') return []
  const value = given.find((each) => each.name.value === 'if')?.value
  const wanted = name.value === 'include'
  if (value?.kind === Kind.BOOLEAN) return [() => value.value === wanted]
  return value?.kind === Kind.VARIABLE ? [(variable) => (variable(value.name.value) === true) === wanted] : []
}
