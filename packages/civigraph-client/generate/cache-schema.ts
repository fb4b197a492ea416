import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchema, Supergraph } from '@apollo/federation-internals'
import {
  type GraphQLObjectType,
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

/** Types that a cache identifies: by `id`, a citizen by its code. */
const isIdentified = (type: GraphQLObjectType): boolean => type.name === 'Citizen' || type.getFields().id !== undefined

/** Arguments that choose a page, not the list. */
const pageArguments = ['first', 'after', 'last', 'before']

/** Returns the lists of each type with the arguments that distinguish them. */
function listsOf(types: readonly GraphQLObjectType[]): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const lists = types.map((type) => {
    const fields = Object.values(type.getFields()).filter(
      ({ args }) => args.some(({ name }) => name === 'first') && args.some(({ name }) => name === 'after'),
    )
    return [
      type.name,
      fields.map(({ name, args }) => [name, args.map((each) => each.name).filter((each) => !pageArguments.includes(each))] as const),
    ] as const
  })
  return Object.fromEntries(lists.filter(([, fields]) => fields.length > 0).map(([name, fields]) => [name, Object.fromEntries(fields)]))
}

/**
 * Returns the module with what caches need of the schema: lists, types that are embedded in their parents, and for graphcache the introspection
 * result with types, fields and nullability only.
 */
export function cacheSchemaModule(): string {
  const graph = clientGraph()
  const types = Object.values(graph.getTypeMap())
    .filter(isCompositeType)
    .filter((type) => !isIntrospectionType(type))
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
  const objects = Object.values(graph.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !isIntrospectionType(type))
  const rootTypes: readonly unknown[] = Object.values(roots)
  const embedded = objects.filter((type) => !isIdentified(type) && !rootTypes.includes(type)).map(({ name }) => name)
  return [
    "import type { CacheExchangeOpts } from '@urql/exchange-graphcache'",
    '',
    '/** Lists by type and field, with the arguments that distinguish them. */',
    `export const lists: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(listsOf(objects))}`,
    '',
    '/** Types without a key, which caches embed in their parent. */',
    `export const embeddedTypes: readonly string[] = ${JSON.stringify(embedded)}`,
    '',
    `export const schema: NonNullable<CacheExchangeOpts['schema']> = ${JSON.stringify({ __schema: { ...named, types } })}`,
    '',
  ].join('\n')
}
