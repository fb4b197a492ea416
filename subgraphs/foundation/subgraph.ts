import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, lexicographicSortSchema, parse } from 'graphql'
import { buildSchema, createResolversMap, type NonEmptyArray } from 'type-graphql'
import { checkAuthorisation } from './authorisation.ts'
import type { RequestContext } from './request-context.ts'

export const componentNames = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type ComponentName = (typeof componentNames)[number]

/** What a resolver gives for an entity key of its own. Null when there is no such entity, or it is somebody else's. */
export type ReferenceResolver = (reference: Readonly<Record<string, unknown>>, context: RequestContext) => unknown

/** A component as one federated subgraph: its printed schema (federation v2) and the executable one. */
export interface Subgraph {
  readonly name: ComponentName
  readonly sdl: string
  readonly schema: GraphQLSchema
}

const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@tag", "@inaccessible", "@override", "@interfaceObject"])'

/**
 * Builds a subgraph from instances of type-graphql resolver classes.
 * @param resolvers - instances, made by the component with what they need
 * @param entities - how a reference to each entity is resolved, by type name
 * @param orphanedTypes - entity classes that no field of this subgraph returns
 */
export async function buildSubgraph(
  name: ComponentName,
  resolvers: readonly object[],
  entities: Readonly<Record<string, ReferenceResolver>>,
  orphanedTypes: readonly (new () => object)[] = [],
): Promise<Subgraph> {
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]))
  const classes = [...instances.keys()]
  const bare = await buildSchema({
    // type-graphql wants constructors in a tuple that cannot be empty; a subgraph without a resolver would not build anyway.
    resolvers: classes as unknown as NonEmptyArray<new () => object>,
    orphanedTypes: [...orphanedTypes],
    container: { get: (someClass: unknown) => instances.get(someClass as never) },
    authChecker: checkAuthorisation,
    authMode: 'error',
    validate: false,
    scalarsMap: [],
  })
  const sdl = `${federation}\n\n${printSubgraphSchema(lexicographicSortSchema(bare))}\n`
  const resolverMap = createResolversMap(bare) as Record<string, Record<string, unknown>>
  for (const [type, resolve] of Object.entries(entities)) {
    resolverMap[type] = { ...resolverMap[type], __resolveReference: resolve }
  }
  return { name, sdl, schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolverMap as never }]) }
}
