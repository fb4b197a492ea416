import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { failedResult } from '../errors.ts'
import type { Executor } from '../executor.ts'
import { fragmentsOf } from '../planning/fragments.ts'
import { oncePerOperation, type PreparedOperation } from './prepared-operation.ts'

/** How many fields an answer may come to have. */
type Cost = (variables: Readonly<Record<string, unknown>>) => number

/** Arguments that say how long a list may be. */
const sizes = new Set(['first', 'last', 'limit'])
/** What a list without such an argument is taken to hold, if nobody says otherwise. */
const usualLength = 10

/**
 * The executor, but operations whose answer may have more than `max` fields are refused with LIMIT_EXCEEDED. A field under lists counts as
 * often as the lists are long: as their `first`, `last` or `limit` says, else as `lengths` says, else ten.
 * @param lengths - what lists without such an argument are taken to hold, by `Type.field`
 */
export function withinCost(executor: Executor, max: number, lengths: Readonly<Record<string, number>> = {}): Executor {
  const cost = oncePerOperation((operation) => costOf(executor.schema, operation, lengths))
  const isTooMuch = (operation: PreparedOperation, variables: Readonly<Record<string, unknown>>): boolean =>
    cost(operation)(variables) > max
  const refusal = new GraphQLError(`The answer may have more than ${max} fields; ask for shorter lists`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })
  return {
    ...executor,
    execute: async (operation, variables, context) =>
      isTooMuch(operation, variables) ? failedResult(refusal, context) : executor.execute(operation, variables, context),
    subscribe: async (operation, variables, context) =>
      isTooMuch(operation, variables) ? failedResult(refusal, context) : executor.subscribe(operation, variables, context),
  }
}

function costOf(schema: GraphQLSchema, { document, definition }: PreparedOperation, lengths: Readonly<Record<string, number>>): Cost {
  const fragments = fragmentsOf(document)
  const defaults = new Map(definition.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]))

  const ofSet = (set: SelectionSetNode, type: GraphQLNamedType | undefined, isSized: boolean): Cost => {
    const costs = set.selections.map((selection): Cost => {
      if (selection.kind === Kind.FIELD) return ofField(selection, type, isSized)
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      const condition = fragment?.typeCondition?.name.value
      return fragment === undefined
        ? () => 0
        : ofSet(fragment.selectionSet, condition === undefined ? type : schema.getType(condition), isSized)
    })
    return (variables) => costs.reduce((sum, cost) => sum + cost(variables), 0)
  }

  /** @param isSized - whether the field around it is no list and has said how long lists in it are: the edges of a connection */
  const ofField = (field: FieldNode, parent: GraphQLNamedType | undefined, isSized: boolean): Cost => {
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value] : undefined
    const inner = definition && getNamedType(definition.type)
    // Introspection is bounded by the schema.
    if (definition === undefined || inner === undefined || !isCompositeType(inner) || field.selectionSet === undefined) return () => 1
    const length = lengthOf(field, definition)
    const rest = ofSet(field.selectionSet, inner, length !== undefined && !isList(definition.type))
    const known = lengths[`${parent?.name}.${field.name.value}`]
    const usual = isList(definition.type) && !isSized ? (known ?? usualLength) : 1
    return (variables) => 1 + (length === undefined ? usual : length(variables)) * rest(variables)
  }

  const lengthOf = (field: FieldNode, definition: GraphQLField<unknown, unknown>): Cost | undefined => {
    const sized = definition.args.filter(({ name }) => sizes.has(name))
    const lengths = sized.map((argument): Cost | undefined => {
      const given = field.arguments?.find(({ name }) => name.value === argument.name)?.value
      const usual = numberOr(argument.defaultValue, usualLength)
      if (given === undefined) return argument.defaultValue === undefined ? undefined : () => usual
      if (given.kind !== Kind.VARIABLE) return given.kind === Kind.INT ? () => Number(given.value) : undefined
      const name = given.name.value
      const fallback = defaults.get(name)
      const otherwise = fallback?.kind === Kind.INT ? Number(fallback.value) : usual
      return (variables) => numberOr(Object.hasOwn(variables, name) ? variables[name] : undefined, otherwise)
    })
    const known = lengths.filter((length) => length !== undefined)
    if (known.length === 0) return undefined
    return (variables) => Math.max(0, ...known.map((length) => length(variables)))
  }

  const root = schema.getRootType(definition.operation) ?? undefined
  return ofSet(definition.selectionSet, root, false)
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}
