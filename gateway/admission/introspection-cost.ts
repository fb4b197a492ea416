import {
  type GraphQLSchema,
  getIntrospectionQuery,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
} from 'graphql'
import { type CostRules, operationCost } from './operation-cost.ts'

/** Maximum cost of the full introspection query of graphql-js. */
const wholeSchemaCost = 10_000

/**
 * Returns the cost of each introspected value: one, and less for a large schema, so that a full introspection is allowed once but not repeatedly
 * under aliases. @param rules - with the lengths of introspection lists
 */
export function introspectedValueCost(rules: Omit<CostRules, 'introspectedValueCost'>): number {
  const document = parse(
    getIntrospectionQuery({ specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true, oneOf: true }),
  )
  const definition = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)
  if (definition === undefined) throw new TypeError('the introspection query of graphql-js has no operation')
  return Math.min(1, wholeSchemaCost / operationCost({ ...rules, introspectedValueCost: 1 }, { document, definition })({}))
}

/** Returns the average lengths of introspection lists in a schema. */
export function introspectionLengths(schema: GraphQLSchema): CostRules['lengths'] {
  const types = Object.values(schema.getTypeMap())
  const fields = types.filter((type) => isObjectType(type) || isInterfaceType(type)).flatMap((type) => Object.values(type.getFields()))
  const perType = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0) / types.length
  const args = fields.reduce((all, field) => all + field.args.length, 0) / Math.max(1, fields.length)
  return {
    '__Schema.types': types.length,
    '__Schema.directives': schema.getDirectives().length,
    '__Type.fields': fields.length / types.length,
    '__Field.args': args,
    '__Directive.args': args,
    '__Type.inputFields': perType(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)),
    '__Type.enumValues': perType(types.filter(isEnumType).map((type) => type.getValues().length)),
    '__Type.possibleTypes': perType(types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type).length)),
    '__Type.interfaces': perType(
      types.filter((type) => isObjectType(type) || isInterfaceType(type)).map((type) => type.getInterfaces().length),
    ),
  }
}
