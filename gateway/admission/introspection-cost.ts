import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../operation/fragments.ts'

/** Maximum cost of an introspected value: each takes several times as long as a field of a subgraph, on the event loop. */
const valueCost = 5
/** Maximum cost of the full introspection query of graphql-js, as a part of the limit. */
const wholeSchemaPart = 0.6

/** Lengths of the lists of introspection, by `Type.field`. */
type Lengths = Readonly<Record<string, number>>
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Returns the cost of a field `__schema` or `__type`. */
export type IntrospectionCost = (node: FieldNode, fragments: Fragments) => number

/**
 * Counts introspected values: a list below `__schema.types` has its average length, since each type is read once; elsewhere a client chooses the type,
 * and a list has the greatest length in the schema. Each value costs five, and less in a large schema, so that a full introspection is allowed once in
 * an operation but not repeatedly under aliases. @param max - limit of the cost of an operation
 */
export function introspectionCost(schema: GraphQLSchema, max: number): IntrospectionCost {
  const { average, longest } = listLengths(schema)

  const valuesOf = (set: SelectionSetNode | undefined, type: string, lengths: Lengths, fragments: Fragments): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + valuesOfField(selection, type, lengths, fragments)
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      return sum + valuesOf(fragment?.selectionSet, type, lengths, fragments)
    }, 0)
  const valuesOfField = ({ name, selectionSet }: FieldNode, parent: string, lengths: Lengths, fragments: Fragments): number => {
    const type = schema.getType(parent)
    const field = isObjectType(type) ? type.getFields()[name.value] : undefined
    if (field === undefined) return 1
    const place = `${parent}.${name.value}`
    const within = place === '__Schema.types' ? average : place === '__Type.fields' ? lengths : longest
    return 1 + (lengths[place] ?? 1) * valuesOf(selectionSet, getNamedType(field.type).name, within, fragments)
  }
  const valuesOfRoot = ({ name, selectionSet }: FieldNode, fragments: Fragments): number =>
    1 + valuesOf(selectionSet, name.value === '__schema' ? '__Schema' : '__Type', longest, fragments)

  const whole = parse(
    getIntrospectionQuery({ specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true, oneOf: true }),
  )
  const wholeSchema = whole.definitions
    .flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? each.selectionSet.selections : []))
    .reduce((sum, each) => sum + (each.kind === Kind.FIELD ? valuesOfRoot(each, fragmentsOf(whole)) : 0), 0)
  const each = Math.min(valueCost, (wholeSchemaPart * max) / wholeSchema)
  return (node, fragments) => Math.max(1, Math.round(each * valuesOfRoot(node, fragments)))
}

function listLengths(schema: GraphQLSchema): { readonly average: Lengths; readonly longest: Lengths } {
  const types = Object.values(schema.getTypeMap())
  const withFields = types.filter((type) => isObjectType(type) || isInterfaceType(type))
  const all: Readonly<Record<string, readonly number[]>> = {
    '__Type.fields': withFields.map((type) => Object.keys(type.getFields()).length),
    '__Type.inputFields': types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length),
    '__Type.enumValues': types.filter(isEnumType).map((type) => type.getValues().length),
    '__Type.possibleTypes': types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type).length),
    '__Type.interfaces': withFields.map((type) => type.getInterfaces().length),
  }
  const args = withFields.flatMap((type) => Object.values(type.getFields())).map((field) => field.args.length)
  const greatest = (lengths: readonly number[]): number => lengths.reduce((max, length) => Math.max(max, length), 0)
  const total = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0)
  return {
    average: {
      ...Object.fromEntries(Object.entries(all).map(([place, lengths]) => [place, total(lengths) / types.length])),
      '__Field.args': total(args) / Math.max(1, args.length),
    },
    longest: {
      ...Object.fromEntries(Object.entries(all).map(([place, lengths]) => [place, greatest(lengths)])),
      '__Field.args': greatest(args),
      '__Schema.types': types.length,
      '__Schema.directives': schema.getDirectives().length,
      '__Directive.args': greatest(schema.getDirectives().map((directive) => directive.args.length)),
    },
  }
}
