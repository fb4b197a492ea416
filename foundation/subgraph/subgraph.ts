import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph'
import {
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  lexicographicSortSchema,
  parse,
} from 'graphql'
import { buildSchema, createResolversMap, type NonEmptyArray, Query, Resolver } from 'type-graphql'
import { authorisationChecker, type RefusalNote } from '../graphql/authorisation.ts'
import type { OpenFile, RequestContext } from '../graphql/request-context.ts'
import { examine, type HealthProbe } from '../health/health.ts'
import { ComponentHealth } from '../health/health.type.ts'
import type { ComponentName } from '../process/build-info.ts'
import { limitErrors } from './limited-errors.ts'

/** Resolves the key of an entity of this subgraph. Returns null if it does not exist or the caller may not see it. */
export type ReferenceResolver = (reference: Readonly<Record<string, unknown>>, context: RequestContext) => unknown

/** Returns the events of a subscription field. Must check the caller's rights itself: it runs before any field rule. */
export type EventStream = (args: Readonly<Record<string, unknown>>, context: RequestContext) => AsyncIterable<unknown>

/** A component as a federated subgraph: its printed schema (Federation 2) and the executable one. */
export interface Subgraph {
  readonly name: ComponentName
  readonly sdl: string
  readonly schema: GraphQLSchema
  /** checks every service that the component depends on */
  readonly health: () => Promise<ComponentHealth>
  /** absent if no field refers to files */
  readonly openFile?: OpenFile
}

/**
 * Declares `@cacheControl`, which composition keeps in the supergraph: how long the gateway may cache entity fields. Root fields that return a single
 * such entity set `maxAge: 0`, so that clients do not cache it.
 */
const cacheControl = `extend schema
  @link(url: "https://civigraph.example/cacheControl/v1.0", import: ["@cacheControl"])
  @composeDirective(name: "@cacheControl")

directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION`

/** Returns the first lines of a subgraph schema: the Federation version and the imported directives. */
export const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@tag", "@inaccessible", "@override", "@interfaceObject", "@composeDirective", "@cost"])'

export interface SubgraphParts {
  readonly version: string
  /** services that `<component>Health` checks */
  readonly probes: readonly HealthProbe[]
  /** instances of type-graphql resolver classes */
  readonly resolvers?: readonly object[]
  /** reference resolvers by type name */
  readonly entities?: Readonly<Record<string, ReferenceResolver>>
  /** event streams by subscription field */
  readonly streams?: Readonly<Record<string, EventStream>>
  readonly openFile?: OpenFile
  readonly noteRefusal?: RefusalNote
  /** entity classes that no field of this subgraph returns */
  readonly orphanedTypes?: readonly (new () => object)[]
}

/** The `subscribe` that type-graphql requires of a subscription; its events come from the stream of its field. */
export const servedFromStream = (): never => {
  throw new Error('unreachable: the subgraph builder serves this subscription from its streams')
}

/** Builds a subgraph: types and fields from the decorated classes, entities and event streams from `parts`. */
export async function buildSubgraph(name: ComponentName, parts: SubgraphParts): Promise<Subgraph> {
  const { version, probes, resolvers = [], entities = {}, streams = {}, orphanedTypes = [] } = parts
  const all = [healthResolver(name, version, probes), ...resolvers]
  const instances = new Map<unknown, object>(all.map((resolver) => [resolver.constructor, resolver]))
  const bare = await buildSchema({
    // type-graphql requires a non-empty tuple of constructors; a subgraph without a resolver would fail to build anyway.
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<new () => object>,
    orphanedTypes: [...orphanedTypes],
    container: { get: (someClass: unknown) => instances.get(someClass) },
    authChecker: authorisationChecker(parts.noteRefusal),
    authMode: 'error',
    validate: false,
    // Required by type-graphql for subscriptions; events come from `streams` below.
    pubSub: { publish: () => undefined, subscribe: () => noEvents() },
  })
  makeRootsNullable(bare)
  describeRoots(bare)
  describeInputs(bare)
  const printed = printSubgraphSchema(lexicographicSortSchema(bare))
  const sdl = `${[federation, ...(printed.includes('@cacheControl(') ? [cacheControl] : []), printed].join('\n\n')}\n`
  // The map contains resolvers, subscription resolvers, enums and scalars; only objects of functions are extended here.
  const resolverMap = createResolversMap(bare) as Record<string, Record<string, unknown>>
  for (const [type, resolve] of Object.entries(entities)) resolverMap[type] = { ...resolverMap[type], __resolveReference: resolve }
  for (const [field, stream] of Object.entries(streams)) {
    const subscription = resolverMap.Subscription?.[field]
    if (typeof subscription !== 'object') throw new Error(`${name} has a stream for ${field} but no such subscription`)
    const subscribe = (_: unknown, args: Record<string, unknown>, context: RequestContext): AsyncIterable<unknown> =>
      withFreshLoaders(stream(args, context), context)
    resolverMap.Subscription = { ...resolverMap.Subscription, [field]: { ...subscription, subscribe } }
  }
  const schema = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolverMap as never }])
  internaliseEnumDefaults(schema)
  limitErrors(schema)
  return { name, sdl, schema, health: () => examine(version, probes), ...(parts.openFile && { openFile: parts.openFile }) }
}

/** Empties the loaders before each event: they would return what an earlier event of the subscription has loaded. */
export async function* withFreshLoaders(
  events: AsyncIterable<unknown>,
  { loaders }: Pick<RequestContext, 'loaders'>,
): AsyncGenerator<unknown> {
  for await (const event of events) {
    loaders.clear()
    yield event
  }
}

async function* noEvents(): AsyncGenerator<never> {}

/**
 * Converts enum defaults of inputs to internal values. Defaults are read from the printed schema before its enums have internal values; without this
 * a default would arrive as its GraphQL name.
 */
function internaliseEnumDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => field.args)
        : []
    for (const input of inputs) {
      const named = getNamedType(input.type)
      if (isEnumType(named) && typeof input.defaultValue === 'string') input.defaultValue = named.getValue(input.defaultValue)?.value
    }
  }
}

/**
 * Makes each root field of queries and mutations nullable. Any of them may be refused, and the error of a non-null root field would discard the
 * results of the other fields, including completed mutations.
 */
function makeRootsNullable(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(root?.getFields() ?? {})) field.type = getNullableType(field.type)
}

/** Descriptions of the root types, which belong to no single resolver. */
export const rootDescriptions = {
  Query: 'Read operations. A field that fails is null if it is nullable, and an error states the reason; the other fields are returned.',
  Mutation: 'Write operations, executed one after another. A field that fails is null, and an error states the reason.',
  Subscription: 'Event streams, over WebSocket or as streamed HTTP responses.',
} as const

/** Sets the descriptions of the root types of a schema. */
function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(rootDescriptions)) {
    const root = schema.getType(name)
    if (root !== undefined) root.description = description
  }
}

/** Gives each argument that has an input type and no description of its own the description of that type. */
function describeInputs(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const argument of Object.values(root?.getFields() ?? {}).flatMap(({ args }) => args)) {
      const type = getNamedType(argument.type)
      if (isInputObjectType(type)) argument.description ??= type.description
    }
}

/** Creates the field `<component>Health` of a component. */
function healthResolver(component: string, version: string, probes: readonly HealthProbe[]): object {
  @Resolver()
  class HealthResolver {
    @Query(() => ComponentHealth, { name: `${component}Health`, description: `Health of the component ${component}.` })
    health(): Promise<ComponentHealth> {
      return examine(version, probes)
    }
  }
  return new HealthResolver()
}
