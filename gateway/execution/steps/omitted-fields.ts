import type { FetchNode } from '@apollo/query-planner'
import { type DirectiveNode, Kind, parse } from 'graphql'
import { withoutSpreads } from '../../operation/fragments.ts'
import { fetchedFields, narrowedFetch } from '../../planning/fetched-fields.ts'
import type { RequiredPaths } from '../../supergraph/required-paths.ts'

/** The part of a fetch that is not requested. */
export interface OmittedFields {
  /** whether this is the whole fetch */
  readonly isAll: boolean
  /** @returns whether a path of an entity is required only by omitted fields, so that it may be missing */
  mayBeMissing(path: string): boolean
}

/** Returns the value of a variable. */
type VariableValue = (name: string) => unknown

/** The fields of a fetch that may be omitted. */
export interface OmittableFields {
  /** Returns the omissions by variables of `@include` and `@skip`; undefined without any. */
  byVariables(variable: VariableValue): OmittedFields | undefined
  /**
   * Returns the fetch for an entity that lacks required fields. @param lacking - missing paths
   * @returns undefined if no field requires them
   */
  byLack(lacking: readonly string[], variable: VariableValue): { readonly node: FetchNode; readonly omitted: OmittedFields } | undefined
}

interface SelectedField {
  /** `Type.field` */
  readonly coordinate: string
  readonly conditions: readonly ((variable: VariableValue) => boolean)[]
  readonly requires: ReadonlySet<string>
}

export function omittableFields(node: FetchNode, required: RequiredPaths): OmittableFields {
  const hasConditions = /@(?:include|skip)\b/.test(node.operation)
  const narrowed = new Map<string, FetchNode>()
  let read: ReturnType<typeof readFetch> | undefined
  const contents = (): ReturnType<typeof readFetch> => {
    read ??= readFetch(node, required)
    return read
  }
  const omittedBut = (isRemaining: (each: SelectedField) => boolean): OmittedFields => {
    const { selected } = contents()
    const remaining = selected.filter(isRemaining)
    const omitted = selected.filter((each) => !remaining.includes(each))
    return {
      isAll: remaining.length === 0,
      mayBeMissing: (path) => omitted.some(({ requires }) => requires.has(path)) && !remaining.some(({ requires }) => requires.has(path)),
    }
  }
  const isMet = ({ conditions }: SelectedField, variable: VariableValue): boolean => conditions.every((each) => each(variable))

  return {
    byVariables: (variable) => (hasConditions ? omittedBut((each) => isMet(each, variable)) : undefined),
    byLack(lacking, variable) {
      const { document, selected } = contents()
      const unanswerable = new Set(
        selected.flatMap(({ coordinate, requires }) => (lacking.some((path) => requires.has(path)) ? [coordinate] : [])),
      )
      if (unanswerable.size === 0) return undefined
      const key = [...unanswerable].join()
      const rest = narrowed.get(key) ?? narrowedFetch(node, document, (type, name) => !unanswerable.has(`${type}.${name}`))
      narrowed.set(key, rest)
      return { node: rest, omitted: omittedBut((each) => isMet(each, variable) && !unanswerable.has(each.coordinate)) }
    },
  }
}

function readFetch({ operation, serviceName }: FetchNode, required: RequiredPaths) {
  const document = withoutSpreads(parse(operation, { noLocation: true }))
  const selected = fetchedFields(document).map(
    ({ type, name, directives }): SelectedField => ({
      coordinate: `${type}.${name}`,
      conditions: directives.flatMap(conditionOf),
      requires: required(serviceName, type, name),
    }),
  )
  return { document, selected }
}

function conditionOf({ name, arguments: args = [] }: DirectiveNode): SelectedField['conditions'] {
  if (name.value !== 'include' && name.value !== 'skip') return []
  const value = args.find((each) => each.name.value === 'if')?.value
  const expected = name.value === 'include'
  if (value?.kind === Kind.BOOLEAN) return [() => value.value === expected]
  return value?.kind === Kind.VARIABLE ? [(variable) => (variable(value.name.value) === true) === expected] : []
}
