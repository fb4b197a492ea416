import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../planning/fragments.ts'

/** What asking for the whole schema as tools do, by the introspection query of graphql-js, costs at most. */
const wholeSchemaCost = 10_000

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * What it costs to ask for the schema: each value one, lists counted as long as those of this schema are on average. Of a large schema a
 * value costs less than one: whoever asks for all of it once may do so, whoever asks for it over and over under other names may not.
 * @returns the cost of what is selected of `__schema` or `__type`
 */
export function introspectionCost(schema: GraphQLSchema): (set: SelectionSetNode | undefined, fragments: Fragments) => number {
  const lengths = averageLengths(schema)
  const whole = parse(
    getIntrospectionQuery({ specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true, oneOf: true }),
  )
  const valueCost = Math.min(1, wholeSchemaCost / valuesOf(rootOf(whole), fragmentsOf(whole), lengths))
  return (set, fragments) => Math.max(1, Math.round(valueCost * valuesOf(set, fragments, lengths)))
}

/** How many values are answered for a selection. */
function valuesOf(set: SelectionSetNode | undefined, fragments: Fragments, lengths: Readonly<Record<string, number>>): number {
  return (set?.selections ?? []).reduce((all, selection) => {
    if (selection.kind === Kind.FIELD)
      return all + 1 + (lengths[selection.name.value] ?? 1) * valuesOf(selection.selectionSet, fragments, lengths)
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    return all + valuesOf(fragment?.selectionSet, fragments, lengths)
  }, 0)
}

const rootOf = ({ definitions }: DocumentNode): SelectionSetNode | undefined =>
  definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)?.selectionSet

/** How long the lists of introspection are in a schema, by their names. */
function averageLengths(schema: GraphQLSchema): Readonly<Record<string, number>> {
  const types = Object.values(schema.getTypeMap())
  const fields = types.filter((type) => isObjectType(type) || isInterfaceType(type)).flatMap((type) => Object.values(type.getFields()))
  const perType = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0) / types.length
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: fields.length / types.length,
    args: fields.reduce((all, { args }) => all + args.length, 0) / Math.max(1, fields.length),
    inputFields: perType(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)),
    enumValues: perType(types.filter(isEnumType).map((type) => type.getValues().length)),
    possibleTypes: perType(types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type).length)),
    interfaces: perType(types.filter((type) => isObjectType(type) || isInterfaceType(type)).map((type) => type.getInterfaces().length)),
  }
}
