import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../operation/fragments.ts'
import type { SelectedOperation } from '../operation/prepared-operation.ts'
import type { Requirement, Requirements } from '../supergraph/authorization-requirements.ts'

/** An operation with expanded fragments and the requirements of each field. */
export interface AnnotatedOperation {
  readonly definition: OperationDefinitionNode
  requirementsOf(field: FieldNode): readonly Requirement[]
  /** requirements of types whose name an abstract selection would reveal */
  readonly revealedTypes: ReadonlyMap<string, readonly Requirement[]>
}

/**
 * Collects the requirements of each field of an operation: of the field, of the type that it is selected on, and of its result type. On an interface,
 * requirements of all implementing types apply: a field is refused if it is refused on one of them, and callers select allowed types with fragments.
 */
export function annotatedOperation(
  schema: GraphQLSchema,
  requirements: Requirements,
  { document, definition }: SelectedOperation,
): AnnotatedOperation {
  const fragments = fragmentsOf(document)
  const needs = new Map<FieldNode, readonly Requirement[]>()
  const revealedTypes = new Map<string, readonly Requirement[]>()

  const possibleOf = (type: string): ReadonlySet<string> => {
    const schemaType = schema.getType(type)
    return new Set(isAbstractType(schemaType) ? schema.getPossibleTypes(schemaType).map(({ name }) => name) : [type])
  }

  const required = (parent: string, field: string, possible: ReadonlySet<string>): readonly Requirement[] => {
    const isAbstract = !isObjectType(schema.getType(parent))
    if (field === '__typename' && isAbstract) {
      for (const type of possible) revealedTypes.set(type, requirements.ofType(type))
      return []
    }
    const all = new Set<Requirement>()
    for (const type of isAbstract ? [parent, ...possible] : [parent]) {
      const resultType = namedTypeOf(schema, type, field)
      for (const each of requirements.ofType(type)) all.add(each)
      for (const each of requirements.ofField(type, field)) all.add(each)
      if (resultType !== undefined) for (const each of requirements.ofType(resultType)) all.add(each)
    }
    return [...all]
  }

  const ofField = (field: FieldNode, parent: string, possible: ReadonlySet<string>): FieldNode => {
    const resultType = namedTypeOf(schema, parent, field.name.value)
    const inner = field.selectionSet && resultType !== undefined ? ofSet(field.selectionSet, resultType, possibleOf(resultType)) : undefined
    const node = { ...field, ...(inner === undefined ? {} : { selectionSet: inner }) }
    needs.set(node, required(parent, field.name.value, possible))
    return node
  }

  const ofSet = (set: SelectionSetNode, parent: string, possible: ReadonlySet<string>): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FIELD) return [ofField(selection, parent, possible)]
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) return []
      const { typeCondition, selectionSet } = fragment
      const condition = typeCondition?.name.value
      const narrowed = condition === undefined ? possible : common(possible, possibleOf(condition))
      const written: InlineFragmentNode = {
        kind: Kind.INLINE_FRAGMENT,
        ...(typeCondition === undefined ? {} : { typeCondition }),
        directives: selection.directives ?? [],
        selectionSet: ofSet(selectionSet, condition ?? parent, narrowed),
      }
      return [written]
    }),
  })

  const root = schema.getRootType(definition.operation)?.name ?? ''
  return {
    definition: { ...definition, selectionSet: ofSet(definition.selectionSet, root, new Set([root])) },
    requirementsOf: (field) => needs.get(field) ?? [],
    revealedTypes,
  }
}

/** Returns the type of a field without list and non-null wrappers. */
function namedTypeOf(schema: GraphQLSchema, parent: string, field: string): string | undefined {
  const type = schema.getType(parent)
  const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field] : undefined
  return definition && getNamedType(definition.type).name
}

const common = (some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...some].filter((each) => others.has(each)))
