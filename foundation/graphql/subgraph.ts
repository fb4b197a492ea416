import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, getNamedType, isEnumType, isInputObjectType, isObjectType, lexicographicSortSchema, parse } from 'graphql'
import { buildSchema, createResolversMap, type NonEmptyArray } from 'type-graphql'
import type { ComponentName } from '../component-names.ts'
import type { HealthProbe } from '../health/health.ts'
import { healthResolver } from '../health/health-resolver.ts'
import { authorisationChecker, type RefusalNote } from './authorisation.ts'
import { makeRootsNullable } from './nullable-roots.ts'
import type { RequestContext } from './request-context.ts'
import { describeRoots } from './root-descriptions.ts'

/** What a resolver gives for an entity key of its own. Null when there is no such entity, or it is somebody else's. */
export type ReferenceResolver = (reference: Readonly<Record<string, unknown>>, context: RequestContext) => unknown

/** Where the events of a subscription field come from. It checks for itself that the caller may listen: it runs before any field rule. */
export type EventStream = (args: Readonly<Record<string, unknown>>, context: RequestContext) => AsyncIterable<unknown>

/** The bytes of a file that a field of this subgraph named. @throws {NotFound} for any other id */
export type OpenFile = (id: string, context: RequestContext) => Promise<Uint8Array>

/** A component as one federated subgraph: its printed schema (federation v2) and the executable one. */
export interface Subgraph {
  readonly name: ComponentName
  readonly sdl: string
  readonly schema: GraphQLSchema
  /** absent where no field names files */
  readonly openFile?: OpenFile
}

/**
 * `@cacheControl`, which composition leaves in the supergraph: for how long the gateway may keep what is asked for by keys. Fields of a root
 * that give such an object without a list say `maxAge: 0`, so that no client keeps it.
 */
const cacheControl = `extend schema
  @link(url: "https://civigraph.example/cacheControl/v1.0", import: ["@cacheControl"])
  @composeDirective(name: "@cacheControl")

directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION`

/** The first lines of a subgraph's schema: the version of federation and what of it is used. */
export const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@tag", "@inaccessible", "@override", "@interfaceObject", "@composeDirective"])'

export interface SubgraphParts {
  readonly version: string
  /** the services that `<component>Health` asks */
  readonly probes: readonly HealthProbe[]
  /** instances of type-graphql resolver classes, made by the component with what they need */
  readonly resolvers?: readonly object[]
  /** how a reference to each entity is resolved, by type name */
  readonly entities?: Readonly<Record<string, ReferenceResolver>>
  /** by name of the subscription field */
  readonly streams?: Readonly<Record<string, EventStream>>
  readonly openFile?: OpenFile
  readonly noteRefusal?: RefusalNote
  /** entity classes that no field of this subgraph returns */
  readonly orphanedTypes?: readonly (new () => object)[]
}

/** Builds a subgraph: types and fields from the decorated classes, entities and event streams from the parts. */
export async function buildSubgraph(name: ComponentName, parts: SubgraphParts): Promise<Subgraph> {
  const { version, probes, resolvers = [], entities = {}, streams = {}, orphanedTypes = [] } = parts
  const all = [healthResolver(name, version, probes), ...resolvers]
  const instances = new Map<unknown, object>(all.map((resolver) => [resolver.constructor, resolver]))
  const bare = await buildSchema({
    // type-graphql wants constructors in a tuple that cannot be empty; a subgraph without a resolver would not build anyway.
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<new () => object>,
    orphanedTypes: [...orphanedTypes],
    container: { get: (someClass: unknown) => instances.get(someClass) },
    authChecker: authorisationChecker(parts.noteRefusal),
    authMode: 'error',
    validate: false,
    // Asked for as soon as there is a subscription; events come from `streams` below.
    pubSub: { publish: () => undefined, subscribe: () => noEvents() },
  })
  makeRootsNullable(bare)
  describeRoots(bare)
  const printed = printSubgraphSchema(lexicographicSortSchema(bare))
  const sdl = `${[federation, ...(printed.includes('@cacheControl(') ? [cacheControl] : []), printed].join('\n\n')}\n`
  // The map holds resolvers, subscription resolvers, enums and scalars side by side; only objects of functions are extended here.
  const resolverMap = createResolversMap(bare) as Record<string, Record<string, unknown>>
  for (const [type, resolve] of Object.entries(entities)) resolverMap[type] = { ...resolverMap[type], __resolveReference: resolve }
  for (const [field, stream] of Object.entries(streams)) {
    const subscription = resolverMap.Subscription?.[field]
    if (typeof subscription !== 'object') throw new Error(`${name} has a stream for ${field} but no such subscription`)
    const subscribe = (_: unknown, args: Record<string, unknown>, context: RequestContext): AsyncIterable<unknown> => stream(args, context)
    resolverMap.Subscription = { ...resolverMap.Subscription, [field]: { ...subscription, subscribe } }
  }
  const schema = buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolverMap as never }])
  internaliseEnumDefaults(schema)
  return { name, sdl, schema, ...(parts.openFile && { openFile: parts.openFile }) }
}

async function* noEvents(): AsyncGenerator<never> {}

/**
 * Gives inputs left out the value that inputs given have. Defaults are read from the printed schema before its enums know their values in
 * code, so that without this a default would arrive as its name in the schema.
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
