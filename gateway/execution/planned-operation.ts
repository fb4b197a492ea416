import '../supergraph/apollo-opt-out.ts'
import { type Operation, operationFromDocument, Supergraph } from '@apollo/federation-internals'
import type { PlanNode, SubscriptionNode } from '@apollo/query-planner'
import { buildSchema, type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode, print, printSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { AllowedOperation, Refused, RefusedPath, RefusedPlace } from '../authorization/allowed-operation.ts'
import type { Asked } from '../authorization/annotated-operation.ts'
import { protectedOperation } from '../authorization/protected-operation.ts'
import type { CachedSourceOptions } from '../caching/cached-source.ts'
import { deferrableOperation, type PartLabels } from '../operation/deferred-fragments.ts'
import { type ResumeRule, resumable } from '../operation/resume.ts'
import { withConditionalObjects } from '../planning/conditional-objects.ts'
import { planBasis } from '../planning/plan-basis.ts'
import type { KeptPlans, PlanRoot } from '../planning/plan-cache.ts'
import { plannableSupergraph } from '../planning/plannable-supergraph.ts'
import { type PrivatelyNamed, privatelyNamed } from '../planning/private-names.ts'
import { checkPlanned, queryPlans } from '../planning/query-plans.ts'
import type { CostDirectives } from '../supergraph/cost-directives.ts'
import { entityKeysOf } from '../supergraph/entity-keys.ts'
import type { Requirement, Requirements } from '../supergraph/requirement.ts'
import { supportedFeatures } from '../supergraph/supported-features.ts'
import { resultShape } from './completion/result-shape.ts'
import type { Naming } from './completion/value-completion.ts'
import { introspectionApart } from './introspection.ts'
import { type Run, running, together } from './operation-run.ts'
import { compilePlan } from './steps/plan-execution.ts'

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
  /** The same with incremental results for its deferred fragments; undefined without any. */
  inParts?(variables: Readonly<Record<string, unknown>>): PlannedOperation | undefined
}

/** An operation with its plan. */
export interface RunnableOperation {
  /** Returns the paths that are not fetched because the caller may not see them */
  refused(variables: Readonly<Record<string, unknown>>): readonly RefusedPath[]
  readonly run: Run
  /** the query plan; absent if nothing is fetched */
  readonly plan?: PlanRoot
  /** plan of a subscription; absent if its caller may not see it */
  readonly subscription?: PlannedSubscription
}

export interface PlannedSubscription {
  /** its first fetch and the rest */
  readonly node: SubscriptionNode
  /** how it resumes after an interruption, if possible */
  readonly resume: ResumeRule | undefined
  /** equal for equal results: the plan and the supergraph rules for its fields */
  readonly identity: string
  /** maps the client's variables to their names in the fetches */
  readonly named: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
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
 * @param kept - plans of previous supergraphs
 * @throws {Error} if it is invalid
 */
export function operationPlanner(sdl: string, kept?: KeptPlans): OperationPlanner {
  const given = plannableSupergraph(sdl)
  const { supergraph, document: plannable, requirements, costs, hints, standIns, required, entities, fetched } = given
  const basisOf = planBasis(
    plannable,
    JSON.stringify([
      supergraph.subgraphsMetadata().map(({ name }) => name),
      [...standIns].map(([name, field]) => [name, field.name, field.arguments.map(print)]),
    ]),
  )
  const hasLabels = print(plannable).includes('overrideLabel:')
  const madePlan = queryPlans(given)
  // clients see the original supergraph
  const apiSchema = (standIns.size === 0 ? supergraph : Supergraph.build(sdl, { supportedFeatures })).apiSchema()
  // rebuilt with graphql-js, whose introspection types are more complete
  const schema = buildSchema(printSchema(apiSchema.toGraphQLJSSchema({ includeDefer: true })))
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema()

  const operationOf = ({ document, definition }: Asked): Operation => {
    try {
      return operationFromDocument(apiSchema, document, definition.name === undefined ? {} : { operationName: definition.name.value })
    } catch (error) {
      // the planner's code for a document that is invalid against the schema
      if (error instanceof GraphQLError && error.extensions.code === 'INVALID_GRAPHQL') error.extensions.code = 'GRAPHQL_VALIDATION_FAILED'
      throw error
    }
  }

  const planOf = (asked: Asked, operation: Operation, labels: readonly string[]): PlanRoot => {
    const { document, definition } = asked
    const make = (): PlanRoot => {
      const fetched = withConditionalObjects(asked)
      return madePlan(fetched.document === document ? operation : operationOf(fetched), labels)
    }
    if (kept === undefined) return make()
    const text = JSON.stringify([definition.name?.value, labels, print(document)])
    return kept.planOf(text, basisOf(document, definition).digest, make)
  }

  /** Returns the plan of a subscription with event numbers added; undefined if it cannot be resumed by them. */
  const continuedPlan = (
    { document, definition }: Asked,
    labels: readonly string[],
  ): { readonly node: SubscriptionNode; readonly resume: ResumeRule } | undefined => {
    const numbered = definition.operation === 'subscription' ? resumable(schema, document, definition) : undefined
    const node = numbered && planOf(numbered, operationOf(numbered), labels)
    const resume = node?.kind === 'Subscription' ? numbered?.ruleIn(node.primary) : undefined
    return node?.kind === 'Subscription' && resume !== undefined ? { node, resume } : undefined
  }

  const identityOf = (node: SubscriptionNode, { document, definition }: Asked, refused: Refused | undefined): string =>
    JSON.stringify([node, basisOf(document, definition).rules, refused && print(refused.shape.definition)])

  const runnable = (
    { asked, refused }: AllowedOperation,
    named: PrivatelyNamed,
    labels: readonly string[],
    labelOf: PartLabels | undefined,
  ): RunnableOperation => {
    const naming: Naming = {
      shown: (name) => shownName(named, refused?.nameOf(name) ?? name),
      isRefused: (name) => refused?.nameOf(name) !== undefined,
      hiddenTypes: refused?.hiddenTypes ?? new Set(),
    }
    const left = asked && operationOf(asked)
    const operation = left === undefined || refused !== undefined ? operationOf(refused?.shape ?? named) : left
    const continued = asked && continuedPlan(asked, labels)
    const node = continued?.node ?? (asked && left && planOf(asked, left, labels))
    const defaults = operation.collectDefaultedVariableValues()
    if (node === undefined && left !== undefined) checkPlanned(left)
    const step = compilePlan(stepsOf(node), { supergraph: supergraphSchema, standIns, required, entities, defaults })
    const { renamed = (variables) => variables } = named
    const subscription =
      node?.kind === 'Subscription'
        ? { node, resume: continued?.resume, identity: identityOf(node, named, refused), named: renamed }
        : undefined
    const refusedPlaces = (variables: Readonly<Record<string, unknown>>): readonly RefusedPlace[] =>
      refused?.places(variables).map((place) => ({ ...place, path: place.path.map((name) => shownName(named, name)) })) ?? []
    const run = running({ step, shape: resultShape(operation, naming), shown: named.shown, refusedPlaces, labelOf })
    return {
      run: (variables, context, sources) => run(renamed(variables), context, sources),
      refused: (variables) => refusedPlaces(renamed(variables)).map(({ path }) => path),
      plan: node,
      ...(subscription === undefined ? {} : { subscription }),
    }
  }

  const plannedRest = (asked: Asked, parts: Parts | undefined): PlannedOperation => {
    const named = privatelyNamed(asked.document, asked.definition, fetched)
    const protection = protectedOperation(schema, requirements, named)
    const variants = new LRUCache<string, RunnableOperation>({ max: maxCallers })
    const overrideLabels = hasLabels ? basisOf(named.document, named.definition).labels : []
    return {
      requirements: protection.requirements,
      overrideLabels,
      without: (unmet, labels) => {
        const key = [
          ...protection.requirements.map((each) => unmet.includes(each)),
          ...overrideLabels.map((each) => labels.includes(each)),
        ].join()
        const known = variants.get(key)
        if (known !== undefined) return known
        const made = orElse(
          () => runnable(protection.without(unmet), named, labels, parts?.labelOf),
          parts && (() => parts.whole().without(unmet, labels)),
        )
        variants.set(key, made)
        return made
      },
    }
  }

  const plannedWhole = (document: DocumentNode, definition: OperationDefinitionNode, parts?: Parts): PlannedOperation => {
    const apart = introspectionApart(schema, document, definition)
    const rest = apart.rest && plannedRest(apart.rest, parts)
    if (apart.introspect === undefined && rest !== undefined) return rest
    return {
      requirements: rest?.requirements ?? [],
      overrideLabels: rest?.overrideLabels ?? [],
      without: (unmet, labels) => {
        const allowed = rest?.without(unmet, labels)
        return { run: together(apart, allowed?.run), refused: (variables) => allowed?.refused(variables) ?? [], plan: allowed?.plan }
      },
    }
  }

  return {
    schema,
    subgraphs: supergraph.subgraphsMetadata().map(({ name }) => name),
    requirements,
    costs,
    caching: {
      schema: supergraphSchema,
      hints,
      keysOf: entityKeysOf(plannable),
      isProtected: (type, field) =>
        requirements.ofType(type).length > 0 || (field !== undefined && requirements.ofField(type, field).length > 0),
    },
    planned(document, definition) {
      const deferrable = deferrableOperation(schema, document, definition)
      if (deferrable === undefined) return plannedWhole(document, definition)
      const { divided, held, labelOf } = deferrable
      const variants = new LRUCache<string, PlannedOperation>({ max: maxDivisions })
      const dividedAs = (places: readonly boolean[]): PlannedOperation => {
        const key = places.join()
        const asked = divided(places)
        const made =
          variants.get(key) ?? plannedWhole(asked.document, asked.definition, places.includes(true) ? { labelOf, whole } : undefined)
        variants.set(key, made)
        return made
      }
      const whole = (): PlannedOperation => dividedAs(held({}).map(() => false))
      return {
        ...whole(),
        inParts: (variables) => {
          const places = held(variables)
          return places.includes(true) ? dividedAs(places) : undefined
        },
      }
    },
  }
}

/** The deferred fragments of an operation. */
interface Parts {
  readonly labelOf: PartLabels
  /** the operation without deferral, used if it cannot be planned with it: deferred data may come immediately */
  readonly whole: () => PlannedOperation
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

const shownName = ({ shown }: PrivatelyNamed, name: string): string => shown?.(name) ?? name

function stepsOf(node: PlanRoot): PlanNode | undefined {
  if (node?.kind !== 'Subscription') return node
  const { primary, rest } = node
  return rest === undefined ? primary : { kind: 'Sequence', nodes: [primary, rest] }
}
