import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { deferLabel } from '../operation/deferred-fragments.ts'
import type { SelectedOperation } from '../operation/prepared-operation.ts'
import { unusedPrefix } from '../operation/unused-prefix.ts'
import type { Requirement } from '../supergraph/authorization-requirements.ts'
import type { AnnotatedOperation } from './annotated-operation.ts'

/** A path of a response; `@` stands for every element of a list, as in GraphOS Router. */
export type RefusedPath = readonly (string | number)[]

/** A path that the caller may not see, and the incremental result that contains it. */
export interface RefusedPlace {
  readonly path: readonly string[]
  /** absent: the initial result */
  readonly part?: DeferredPlace
}

/** A deferred fragment. */
interface DeferredPlace {
  readonly label: string
  /** number of path steps to its object */
  readonly depth: number
}

/** The part of an operation that a caller may see. */
export interface AllowedOperation {
  /** to be planned; undefined: nothing is allowed */
  readonly operation: SelectedOperation | undefined
  /** absent: everything is allowed */
  readonly refused?: RefusedPart
}

/** The part of an operation that a caller may not see. */
export interface RefusedPart {
  /** the whole operation, for the shape of the response; refused fields have unique names */
  readonly shape: SelectedOperation
  /** Returns the response name of such a unique name; undefined if the field is allowed */
  nameOf(name: string): string | undefined
  /** @param variables - that decide about @skip and @include */
  places(variables: Readonly<Record<string, unknown>>): readonly RefusedPlace[]
  /** types whose name must not be revealed */
  readonly hiddenTypes: ReadonlySet<string>
}

/** The context of a selection. */
interface Around {
  readonly path: readonly string[]
  readonly conditions: readonly DirectiveNode[]
  readonly part?: DeferredPlace | undefined
}

interface DividedSelections {
  readonly allowed: SelectionSetNode
  readonly shape: SelectionSetNode
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

/** Removes the fields that the caller may not see, so that they are never fetched. */
export function allowedOperation(
  { definition, requirementsOf, revealedTypes }: AnnotatedOperation,
  unmet: ReadonlySet<Requirement>,
  schema: GraphQLSchema,
): AllowedOperation {
  const prefix = unusedPrefix(namesIn(definition), 'refused_')
  const refused: Around[] = []
  const isRefused = (requirements: readonly Requirement[]): boolean => requirements.some((each) => unmet.has(each))

  const divided = (set: SelectionSetNode, parent: string, { path, part, ...around }: Around): DividedSelections => {
    const allowed: SelectionNode[] = []
    const shape: SelectionNode[] = []
    for (const selection of set.selections) {
      const conditions = [...around.conditions, ...(selection.directives ?? []).filter(isCondition)]
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value
        const { type, isList } = fieldType(schema, parent, selection.name.value)
        if (isRefused(requirementsOf(selection))) {
          refused.push({ path: [...path, name], conditions, part })
          shape.push({ ...selection, alias: { kind: Kind.NAME, value: prefix + name } })
        } else if (selection.selectionSet === undefined) {
          allowed.push(selection)
          shape.push(selection)
        } else {
          const inner = divided(selection.selectionSet, type, { path: [...path, name, ...(isList ? ['@'] : [])], conditions, part })
          // the existence of the object may be revealed
          const remaining = inner.allowed.selections.length === 0 ? { ...inner.allowed, selections: [typename] } : inner.allowed
          allowed.push({ ...selection, selectionSet: remaining })
          shape.push({ ...selection, selectionSet: inner.shape })
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const label = deferLabel(selection)
        const inner = divided(selection.selectionSet, selection.typeCondition?.name.value ?? parent, {
          path,
          conditions,
          part: label === undefined ? part : { label, depth: path.length },
        })
        if (inner.allowed.selections.length > 0) allowed.push({ ...selection, selectionSet: inner.allowed })
        shape.push({ ...selection, selectionSet: inner.shape })
      }
    }
    return { allowed: { ...set, selections: allowed }, shape: { ...set, selections: shape } }
  }

  const root = schema.getRootType(definition.operation)?.name ?? ''
  const { allowed, shape } = divided(definition.selectionSet, root, { path: [], conditions: [] })
  return {
    operation: allowed.selections.length === 0 ? undefined : singleOperation(definition, allowed),
    refused: {
      shape: singleOperation(definition, shape),
      nameOf: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined),
      places: (variables) => {
        const included = refused.filter(({ conditions }) => conditions.every((each) => isFulfilled(each, definition, variables)))
        const places = included.map(({ path, part }): RefusedPlace => (part === undefined ? { path } : { path, part }))
        return [...new Map(places.map((place) => [[place.part?.label, ...place.path].join('\n'), place])).values()]
      },
      hiddenTypes: new Set([...revealedTypes].filter(([, requirements]) => isRefused(requirements)).map(([type]) => type)),
    },
  }
}

function singleOperation(definition: OperationDefinitionNode, selectionSet: SelectionSetNode): SelectedOperation {
  const changed = { ...definition, selectionSet }
  return { document: { kind: Kind.DOCUMENT, definitions: [changed] }, definition: changed }
}

/** Returns the type of a field without list and non-null wrappers. */
function fieldType(schema: GraphQLSchema, parent: string, field: string): { readonly type: string; readonly isList: boolean } {
  const type = schema.getType(parent)
  const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field] : undefined
  if (definition === undefined) return { type: '', isList: false }
  return { type: String(definition.type).replace(/[[\]!]/g, ''), isList: isListType(getNullableType(definition.type)) }
}

function namesIn(definition: OperationDefinitionNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(definition, { Field: ({ alias, name }) => void names.add((alias ?? name).value) })
  return names
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

/** Whether a @skip or @include keeps its selection in the response. */
function isFulfilled(
  { name, arguments: args = [] }: DirectiveNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const condition = args.find((each) => each.name.value === 'if')?.value
  let value: unknown = condition?.kind === Kind.BOOLEAN && condition.value
  if (condition?.kind === Kind.VARIABLE) {
    const variable = condition.name.value
    const byDefault = variableDefinitions.find((each) => each.variable.name.value === variable)?.defaultValue
    value = Object.hasOwn(variables, variable) ? variables[variable] : byDefault?.kind === Kind.BOOLEAN && byDefault.value
  }
  return (value === true) === (name.value === 'include')
}
