import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchema, Supergraph } from '@apollo/federation-internals'
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

const apiSchema = () => Supergraph.build(readFileSync(join(import.meta.dirname, '../../../schema/supergraph.graphql'), 'utf8')).apiSchema()

/** Returns the client schema of the composed supergraph. */
export const clientSchema = (): string => `${printSchema(apiSchema())}\n`

/** Returns the same schema as introspection JSON. */
const clientGraph = (): GraphQLSchema => apiSchema().toGraphQLJSSchema()

type TypeOf = { readonly kind: string; readonly name?: string; readonly ofType?: TypeOf }

/** A field type in introspection form; every type without fields becomes one scalar. */
function typeOf(type: GraphQLOutputType): TypeOf {
  if (isNonNullType(type)) return { kind: 'NON_NULL', ofType: typeOf(type.ofType) }
  if (isListType(type)) return { kind: 'LIST', ofType: typeOf(type.ofType) }
  return isCompositeType(type) ? { kind: kindOf(type), name: type.name } : { kind: 'SCALAR', name: 'Any' }
}

const kindOf = (type: object): string => (isUnionType(type) ? 'UNION' : isObjectType(type) ? 'OBJECT' : 'INTERFACE')

/** Returns the module with the introspection result that graphcache needs: types, fields and nullability only. */
export function cacheSchemaModule(): string {
  const graph = clientGraph()
  const types = Object.values(graph.getTypeMap())
    .filter((type) => isCompositeType(type) && !isIntrospectionType(type))
    .filter(isCompositeType)
    .map((type) => ({
      kind: kindOf(type),
      name: type.name,
      ...(!isUnionType(type) && {
        fields: Object.values(type.getFields()).map((field) => ({ name: field.name, args: [], type: typeOf(field.type) })),
        interfaces: type.getInterfaces().map(({ name }) => ({ kind: 'INTERFACE', name })),
      }),
      ...(!isObjectType(type) && { possibleTypes: graph.getPossibleTypes(type).map(({ name }) => ({ kind: 'OBJECT', name })) }),
    }))
  const roots = { queryType: graph.getQueryType(), mutationType: graph.getMutationType(), subscriptionType: graph.getSubscriptionType() }
  const named = Object.fromEntries(Object.entries(roots).map(([name, type]) => [name, type && { name: getNamedType(type).name }]))
  return [
    "import type { CacheExchangeOpts } from '@urql/exchange-graphcache'",
    '',
    `export const schema: NonNullable<CacheExchangeOpts['schema']> = ${JSON.stringify({ __schema: { ...named, types } })}`,
    '',
  ].join('\n')
}
