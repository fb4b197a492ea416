import '../supergraph/apollo-opt-out.ts'
import { Supergraph } from '@apollo/federation-internals'
import { type ConstDirectiveNode, type DocumentNode, Kind, parse, visit } from 'graphql'
import { type Requirements, requirementsOf } from '../supergraph/authorization-requirements.ts'
import { type CacheHints, cacheHintsOf } from '../supergraph/cache-hints.ts'
import { type CostDirectives, costDirectivesOf } from '../supergraph/cost-directives.ts'
import { fieldSet } from '../supergraph/join-directives.ts'
import { type RequiredPaths, requiredPaths } from '../supergraph/required-paths.ts'
import { type ResolvableEntities, resolvableEntities } from '../supergraph/resolvable-entities.ts'
import { supportedFeatures } from '../supergraph/supported-features.ts'
import { type PlaceholderFields, withPlaceholderFields } from './placeholder-fields.ts'

/** A supergraph in a form that Apollo's query planner plans correctly. */
export interface PlannableSupergraph {
  readonly requirements: Requirements
  readonly costs: CostDirectives
  readonly hints: CacheHints
  readonly supergraph: Supergraph
  /** parsed document */
  readonly document: DocumentNode
  readonly placeholders: PlaceholderFields
  readonly required: RequiredPaths
  readonly entities: ResolvableEntities
  /** names of fields that plans fetch without a request: keys and requirements */
  readonly fetched: ReadonlySet<string>
}

/**
 * @param sdl - text of a Federation 2 supergraph
 * @throws {Error} if it is invalid
 */
export function plannableSupergraph(sdl: string): PlannableSupergraph {
  const parsed = parse(sdl, { noLocation: true })
  // first, for clear error messages
  const [requirements, costs, hints] = [requirementsOf(parsed), costDirectivesOf(parsed), cacheHintsOf(parsed)]
  const { document, placeholders } = withPlaceholderFields(resolvableKeysFirst(withoutDirectives(parsed, costs.names)))
  const supergraph = Supergraph.build(document, { supportedFeatures })
  const read = { required: requiredPaths(document), entities: resolvableEntities(document), fetched: fetchedNames(document) }
  return { supergraph, document, requirements, costs, hints, placeholders, ...read }
}

/** Removes directives that the planner does not know and would refuse. */
const withoutDirectives = (supergraph: DocumentNode, names: ReadonlySet<string>): DocumentNode =>
  visit(supergraph, { Directive: ({ name }) => (names.has(name.value) ? null : undefined) })

/** Moves resolvable keys to the front, since the planner uses the first key of a type in a subgraph. */
function resolvableKeysFirst(supergraph: DocumentNode): DocumentNode {
  const sorted = <Node extends { readonly directives?: readonly ConstDirectiveNode[] }>(node: Node): Node => ({
    ...node,
    directives: (node.directives ?? []).toSorted((a, b) => Number(isUnresolvable(a)) - Number(isUnresolvable(b))),
  })
  return visit(supergraph, { ObjectTypeDefinition: sorted, InterfaceTypeDefinition: sorted })
}

const isUnresolvable = ({ name, arguments: args = [] }: ConstDirectiveNode): boolean =>
  name.value === 'join__type' &&
  args.some((argument) => argument.name.value === 'resolvable' && argument.value.kind === Kind.BOOLEAN && !argument.value.value)

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
