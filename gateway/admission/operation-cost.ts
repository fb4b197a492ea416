import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Variables } from '../operation/declared-variables.ts'
import { isDefer } from '../operation/deferred-fragments.ts'
import { fragmentsOf } from '../operation/fragments.ts'
import type { PreparedOperation } from '../operation/prepared-operation.ts'
import { checkDepth } from '../operation/variable-values.ts'
import type { CostDirectives } from '../supergraph/cost-directives.ts'
import { argumentReader } from './argument-values.ts'
import type { IntrospectionCost } from './introspection-cost.ts'
import { argumentLength, assumedLength, declaredLength } from './list-length.ts'

/** Returns the maximum cost of an operation before its execution. @throws {GraphQLError} BAD_REQUEST if a required slicing argument is missing */
export type Cost = (variables: Variables) => number

export interface CostRules {
  readonly schema: GraphQLSchema
  readonly directives: CostDirectives
  readonly introspection: IntrospectionCost
  /** assumed lengths of lists without a size argument, by `Type.field` */
  readonly lengths: Readonly<Record<string, number>>
  /** maximum assumed length of a list: the graph refuses larger sizes */
  readonly longest: number
}

/** Lengths that an outer field declares for all or some lists in its selection. */
interface DeclaredLengths {
  readonly all: boolean
  readonly fields: ReadonlyMap<string, Cost>
}
const unsized: DeclaredLengths = { all: false, fields: new Map() }
const zeroCost: Cost = () => 0
/** cost of each deferred fragment */
const partCost: Cost = () => 1

/**
 * Computes the cost of an operation: a field costs its `@cost` weight, else one; its value costs the weight of its type, else nothing; arguments cost
 * their weights; a deferred fragment costs one. The cost below a list is multiplied by its length: `@listSize`, else `first`, `last` or `limit`, else
 * `lengths`, else ten. Negative weights reduce the cost of a field or value down to zero, never that of another field. @see
 * https://ibm.github.io/graphql-specs/cost-spec.html
 */
export function operationCost(
  { schema, directives, introspection, lengths, longest }: CostRules,
  { document, definition }: Pick<PreparedOperation, 'document' | 'definition'>,
): Cost {
  const fragments = fragmentsOf(document)
  const argumentOf = argumentReader(definition)

  const ofSet = (set: SelectionSetNode, type: string, sized: DeclaredLengths): Cost =>
    sum(
      set.selections.map((selection): Cost => {
        if (selection.kind === Kind.FIELD) return ofField(selection, type, sized)
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        if (fragment === undefined) return zeroCost
        const cost = ofSet(fragment.selectionSet, fragment.typeCondition?.name.value ?? type, sized)
        return selection.directives?.some(isDefer) ? sum([partCost, cost]) : cost
      }),
    )

  /** Coordinates of directives for a field: on its type, and on every possible type. */
  const placesOf = (parent: string, field: string): readonly string[] => {
    const type = schema.getType(parent)
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : []
    return [parent, ...possible].map((each) => `${each}.${field}`)
  }
  const weightOf = (places: readonly string[]): number | undefined => {
    const weights = places.map((place) => directives.weight(place)).filter((weight) => weight !== undefined)
    return weights.length === 0 ? undefined : Math.max(...weights)
  }

  const ofField = (node: FieldNode, parent: string, sized: DeclaredLengths): Cost => {
    const type = schema.getType(parent)
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
    if (field !== undefined) return ofKnownField(node, field, parent, sized)
    const own = node.name.value === '__typename' ? 1 : introspection(node, fragments)
    return () => own
  }

  const ofKnownField = (node: FieldNode, field: GraphQLField<unknown, unknown>, parent: string, sized: DeclaredLengths): Cost => {
    const place = `${parent}.${field.name}`
    const places = placesOf(parent, field.name)
    const weight = weightOf(places) ?? 1
    const own = atLeastNothing(sum([() => weight, ofArguments(node, field, places)]))
    const named = getNamedType(field.type).name
    const each = directives.weight(named) ?? 0
    if (each === 0 && node.selectionSet === undefined) return own

    const size = places.map((each) => directives.listSize(each)).find((listSize) => listSize !== undefined)
    const requestedLength =
      size === undefined ? argumentLength(node, field, argumentOf) : declaredLength(size, node, field, place, argumentOf)
    const length: Cost | undefined = requestedLength && ((variables) => Math.min(requestedLength(variables), longest))
    const sizesMembers = size !== undefined && size.sizedFields.length > 0
    const defaultLength = isList(field.type) && !sized.all ? (lengths[place] ?? assumedLength) : 1
    const times = (sizesMembers ? undefined : length) ?? sized.fields.get(field.name) ?? (() => defaultLength)
    const within: DeclaredLengths = {
      all: length !== undefined && !sizesMembers && !isList(field.type),
      fields: new Map(sizesMembers && length !== undefined ? size.sizedFields.map((name) => [name, length]) : []),
    }
    const rest = node.selectionSet === undefined ? zeroCost : ofSet(node.selectionSet, named, within)
    return (variables) => own(variables) + times(variables) * Math.max(0, each + rest(variables))
  }

  const ofArguments = (node: FieldNode, field: GraphQLField<unknown, unknown>, places: readonly string[]): Cost =>
    sum(
      field.args.flatMap(({ name, type }): Cost[] => {
        const own = weightOf(places.map((place) => `${place}(${name}:)`)) ?? 0
        const hasWeights = isInputObjectType(getNamedType(type)) && directives.weighsInput
        if (own === 0 && !hasWeights) return []
        return [
          (variables) => {
            const value = argumentOf(node, name, variables)
            if (value === undefined) return 0
            if (hasWeights) checkDepth({ [name]: value })
            return own + (hasWeights ? ofInput(value, type) : 0)
          },
        ]
      }),
    )

  const ofInput = (value: unknown, type: GraphQLInputType): number => {
    const named = getNamedType(type)
    if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return 0
    if (Array.isArray(value)) return value.reduce<number>((all, each) => all + ofInput(each, type), 0)
    return Object.entries(value).reduce((all, [name, member]) => {
      const field = named.getFields()[name]
      return field === undefined ? all : all + (directives.weight(`${named.name}.${name}`) ?? 0) + ofInput(member, field.type)
    }, 0)
  }

  return ofSet(definition.selectionSet, schema.getRootType(definition.operation)?.name ?? '', unsized)
}

const sum = (costs: readonly Cost[]): Cost =>
  costs.length === 0 ? zeroCost : (variables) => costs.reduce((all, cost) => all + cost(variables), 0)

const atLeastNothing =
  (cost: Cost): Cost =>
  (variables) =>
    Math.max(0, cost(variables))

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type))
