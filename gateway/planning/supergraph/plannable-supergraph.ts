import '../../telemetry/apollo-opt-out.ts'
import { DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals'
import { type ConstDirectiveNode, type DocumentNode, Kind, parse, visit } from 'graphql'
import { type CostDirectives, costDirectivesOf } from '../../admission/cost-directives.ts'
import { type Requirements, requirementsOf } from '../../authorization/requirement.ts'
import { type CacheHints, cacheHintsOf } from '../../caching/cache-hints.ts'
import { fieldSet } from './field-set.ts'
import { type KnownEntities, knownEntities } from './known-entities.ts'
import { type RequiredPaths, requiredPaths } from './required-paths.ts'
import { type StandIns, withStandIns } from './stand-ins.ts'

/** Specifications that a file may call necessary: those of `@apollo/gateway`, and those that are held to here. */
export const supportedFeatures: Set<string> = new Set([
  ...DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES,
  ...['authenticated', 'requiresScopes', 'policy', 'context'].map((name) => `https://specs.apollo.dev/${name}/v0.1`),
])

/** A supergraph as the query planner of Apollo plans it right. */
export interface PlannableSupergraph {
  readonly requirements: Requirements
  readonly costs: CostDirectives
  readonly hints: CacheHints
  readonly supergraph: Supergraph
  /** its text, parsed */
  readonly document: DocumentNode
  readonly standIns: StandIns
  readonly required: RequiredPaths
  readonly entities: KnownEntities
  /** names of fields that plans fetch though nobody asked for them: those of keys and requirements */
  readonly fetched: ReadonlySet<string>
}

/**
 * @param sdl - text of a federation v2 supergraph
 * @throws {Error} when it is none
 */
export function plannableSupergraph(sdl: string): PlannableSupergraph {
  const given = parse(sdl, { noLocation: true })
  // first: what is wrong with these is said in a sentence here
  const [requirements, costs, hints] = [requirementsOf(given), costDirectivesOf(given), cacheHintsOf(given)]
  const { document, standIns } = withStandIns(resolvableKeysFirst(withoutDirectives(given, costs.names)))
  const supergraph = Supergraph.build(document, { supportedFeatures })
  const read = { required: requiredPaths(document), entities: knownEntities(document), fetched: fetchedNames(document) }
  return { supergraph, document, requirements, costs, hints, standIns, ...read }
}

/** The planner looks at what things cost only to refuse what it does not know. */
const withoutDirectives = (supergraph: DocumentNode, names: ReadonlySet<string>): DocumentNode =>
  visit(supergraph, { Directive: ({ name }) => (names.has(name.value) ? null : undefined) })

/** The planner takes the first key of a type in a subgraph, whether it can be resolved there or not. */
function resolvableKeysFirst(supergraph: DocumentNode): DocumentNode {
  const sorted = <Node extends { readonly directives?: readonly ConstDirectiveNode[] }>(node: Node): Node => ({
    ...node,
    directives: (node.directives ?? []).toSorted((a, b) => Number(isUnresolvable(a)) - Number(isUnresolvable(b))),
  })
  return visit(supergraph, { ObjectTypeDefinition: sorted, InterfaceTypeDefinition: sorted })
}

const isUnresolvable = ({ name, arguments: given = [] }: ConstDirectiveNode): boolean =>
  name.value === 'join__type' &&
  given.some((argument) => argument.name.value === 'resolvable' && argument.value.kind === Kind.BOOLEAN && !argument.value.value)

const selecting: ReadonlySet<string> = new Set(['key', 'requires', 'provides', 'selection'])

function fetchedNames(supergraph: DocumentNode): ReadonlySet<string> {
  const names = new Set(['__typename'])
  const gather = (name: string, text: string): void => {
    const fields = selecting.has(name) ? fieldSet(text) : undefined
    if (fields !== undefined) visit(fields, { Field: (field) => void names.add(field.name.value) })
  }
  visit(supergraph, {
    Directive: ({ name }) => (name.value.startsWith('join__') ? undefined : false),
    Argument: ({ name, value }) => (value.kind === Kind.STRING ? gather(name.value, value.value) : undefined),
    ObjectField: ({ name, value }) => (value.kind === Kind.STRING ? gather(name.value, value.value) : undefined),
  })
  return names
}
