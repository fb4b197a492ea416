import '../supergraph/apollo-opt-out.ts'
import { Supergraph } from '@apollo/federation-internals'
import { buildSchema, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, print, printSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { protectedOperation } from '../authorization/protected-operation.ts'
import type { CachedSourceOptions } from '../caching/cached-source.ts'
import { deferrableOperation, type PartLabels } from '../operation/deferred-fragments.ts'
import type { SelectedOperation } from '../operation/prepared-operation.ts'
import { planBasis } from '../planning/plan-basis.ts'
import type { PlanCache } from '../planning/plan-cache.ts'
import { type PlannableSupergraph, plannableSupergraph } from '../planning/plannable-supergraph.ts'
import { privatelyNamed } from '../planning/private-names.ts'
import { queryPlans } from '../planning/query-plans.ts'
import type { Requirement, Requirements } from '../supergraph/authorization-requirements.ts'
import type { CostDirectives } from '../supergraph/cost-directives.ts'
import { entityKeysOf } from '../supergraph/entity-keys.ts'
import { supportedFeatures } from '../supergraph/supported-features.ts'
import { splitIntrospection } from './introspection.ts'
import { withIntrospection } from './operation-run.ts'
import { type PlanningGraph, type RunnableOperation, runnableOperation } from './runnable-operation.ts'

/** The cached preparation of an operation. */
export interface PlannedOperation {
  /** authorization requirements for all of it */
  readonly requirements: readonly Requirement[]
  /** labels of progressive overrides of its fields */
  readonly overrideLabels: readonly string[]
  /**
   * Returns the runnable operation for callers who do not fulfil these requirements, with these labels on. @throws {GraphQLError} if the remainder
   * cannot be planned
   */
  without(unmet: readonly Requirement[], labels: readonly string[]): RunnableOperation
  /** The same with incremental results for the fragments that these variables defer; undefined without any. */
  inParts?(variables: Readonly<Record<string, unknown>>): OperationVariant | undefined
}

/** A form of an operation for one combination of `@defer` conditions. The same object as long as its plan is cached. */
export interface OperationVariant {
  /** Plans it when called for the first time. */
  planned(): PlannedOperation
}

export interface OperationPlanner {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** names of the subgraphs */
  readonly subgraphs: readonly string[]
  readonly requirements: Requirements
  readonly costs: CostDirectives
  /** cache policy rules */
  readonly caching: CachedSourceOptions['rules']
  /** @throws {GraphQLError} LIMIT_EXCEEDED for an operation that is too complex, BAD_REQUEST for one that no subgraph can resolve */
  planned(document: DocumentNode, definition: OperationDefinitionNode): PlannedOperation
}

/**
 * @param sdl - text of a Federation 2 supergraph
 * @param cache - plans of previous supergraphs
 * @throws {Error} if it is invalid
 */
export function operationPlanner(sdl: string, cache?: PlanCache): OperationPlanner {
  const plannable = plannableSupergraph(sdl)
  const { supergraph, document, requirements, costs, hints } = plannable
  const graph = planningGraph(sdl, plannable, cache)
  const { schema, supergraphSchema } = graph
  return {
    schema,
    subgraphs: supergraph.subgraphsMetadata().map(({ name }) => name),
    requirements,
    costs,
    caching: {
      schema: supergraphSchema,
      hints,
      keysOf: entityKeysOf(document),
      isProtected: (type, field) =>
        requirements.ofType(type).length > 0 || (field !== undefined && requirements.ofField(type, field).length > 0),
    },
    planned: (operation, definition) => plannedOperation(graph, operation, definition),
  }
}

/** A planning graph with the rules that restrict operations for callers. */
interface RestrictedGraph extends PlanningGraph, Pick<PlannableSupergraph, 'requirements' | 'fetched'> {
  /** whether fields have labels of progressive overrides */
  readonly hasLabels: boolean
}

function planningGraph(sdl: string, plannable: PlannableSupergraph, cache: PlanCache | undefined): RestrictedGraph {
  const { supergraph, document, placeholders } = plannable
  const basisOf = planBasis(
    document,
    JSON.stringify([
      supergraph.subgraphsMetadata().map(({ name }) => name),
      [...placeholders].map(([name, field]) => [name, field.name, field.arguments.map(print)]),
    ]),
  )
  const makePlan = queryPlans(plannable)
  // clients see the original supergraph
  const apiSchema = (placeholders.size === 0 ? supergraph : Supergraph.build(sdl, { supportedFeatures })).apiSchema()
  return {
    ...plannable,
    cache,
    hasLabels: print(document).includes('overrideLabel:'),
    basisOf: ({ document: operation, definition }) => basisOf(operation, definition),
    makePlan,
    apiSchema,
    // rebuilt with graphql-js, whose introspection types are more complete
    schema: buildSchema(printSchema(apiSchema.toGraphQLJSSchema({ includeDefer: true }))),
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
  }
}

/** The deferred fragments of an operation. */
interface Parts {
  readonly labelOf: PartLabels
  /** the operation without deferral, used if it cannot be planned with it: deferred data may come immediately */
  readonly whole: () => PlannedOperation
}

function plannedOperation(graph: RestrictedGraph, document: DocumentNode, definition: OperationDefinitionNode): PlannedOperation {
  const deferrable = deferrableOperation(graph.schema, document, definition)
  if (deferrable === undefined) return plannedWhole(graph, { document, definition })
  const { divided, held, labelOf } = deferrable
  const variants = new LRUCache<string, OperationVariant>({ max: maxDivisions })
  const dividedAs = (places: readonly boolean[]): OperationVariant => {
    const key = places.join()
    const parts = places.includes(true) ? { labelOf, whole } : undefined
    const variant = variants.get(key) ?? { planned: once(() => plannedWhole(graph, divided(places), parts)) }
    variants.set(key, variant)
    return variant
  }
  const whole = (): PlannedOperation => dividedAs(held({}).map(() => false)).planned()
  return {
    ...whole(),
    inParts: (variables) => {
      const places = held(variables)
      return places.includes(true) ? dividedAs(places) : undefined
    },
  }
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Separates introspection, which is answered here. */
function plannedWhole(graph: RestrictedGraph, { document, definition }: SelectedOperation, parts?: Parts): PlannedOperation {
  const split = splitIntrospection(graph.schema, document, definition)
  const rest = split.rest && plannedRest(graph, split.rest, parts)
  if (split.introspect === undefined && rest !== undefined) return rest
  return {
    requirements: rest?.requirements ?? [],
    overrideLabels: rest?.overrideLabels ?? [],
    without: (unmet, labels) => {
      const runnable = rest?.without(unmet, labels)
      return {
        run: withIntrospection(split, runnable?.run),
        refused: (variables) => runnable?.refused(variables) ?? [],
        plan: runnable?.plan,
      }
    },
  }
}

function plannedRest(graph: RestrictedGraph, selected: SelectedOperation, parts: Parts | undefined): PlannedOperation {
  const named = privatelyNamed(selected.document, selected.definition, graph.fetched)
  const { requirements, without } = protectedOperation(graph.schema, graph.requirements, named)
  const variants = new LRUCache<string, RunnableOperation>({ max: maxCallers })
  const overrideLabels = graph.hasLabels ? graph.basisOf(named).labels : []
  return {
    requirements,
    overrideLabels,
    without: (unmet, labels) => {
      const key = [...requirements.map((each) => unmet.includes(each)), ...overrideLabels.map((each) => labels.includes(each))].join()
      const cached = variants.get(key)
      if (cached !== undefined) return cached
      const variant = orElse(
        () => runnableOperation(graph, without(unmet), { named, labels, labelOf: parts?.labelOf }),
        parts && (() => parts.whole().without(unmet, labels)),
      )
      variants.set(key, variant)
      return variant
    },
  }
}

function orElse<Value>(make: () => Value, otherwise: (() => Value) | undefined): Value {
  try {
    return make()
  } catch (error) {
    if (otherwise === undefined) throw error
    return otherwise()
  }
}

/** Maximum cached plans per operation by combinations of `@defer` conditions. */
const maxDivisions = 16

/** Maximum cached plans per operation by authorization of callers. */
const maxCallers = 32
