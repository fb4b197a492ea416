import '../telemetry/apollo-opt-out.ts'
import { type Operation, operationFromDocument, Supergraph } from '@apollo/federation-internals'
import type { PlanNode, SubscriptionNode } from '@apollo/query-planner'
import { buildSchema, type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode, print, printSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { CostDirectives } from '../admission/cost-directives.ts'
import type { AllowedOperation, Refused, RefusedPath, RefusedPlace } from '../authorization/allowed-operation.ts'
import type { Asked } from '../authorization/annotated-operation.ts'
import { protectedOperation } from '../authorization/protected-operation.ts'
import type { Requirement, Requirements } from '../authorization/requirement.ts'
import type { CachedSourceOptions } from '../caching/cached-source.ts'
import { entityKeysOf } from '../caching/entity-keys.ts'
import { deferrableOperation, type PartLabels } from '../incremental/deferred-fragments.ts'
import { type ResumeRule, resumable } from '../subscriptions/resume.ts'
import { resultShape } from './completion/result-shape.ts'
import type { Naming } from './completion/value-completion.ts'
import { withConditionalObjects } from './conditional-objects.ts'
import { introspectionApart } from './introspection.ts'
import type { KeptPlans, PlanRoot } from './kept-plans.ts'
import { type Run, running, together } from './operation-run.ts'
import { planBasis } from './plan-basis.ts'
import { type PrivatelyNamed, privatelyNamed } from './private-names.ts'
import { checkPlanned, queryPlans } from './query-plans.ts'
import { compilePlan } from './steps/plan-execution.ts'
import { plannableSupergraph, supportedFeatures } from './supergraph/plannable-supergraph.ts'

/** What is worked out once for an operation. */
export interface PlannedOperation {
  /** what its caller must fulfil to see all of it */
  readonly requirements: readonly Requirement[]
  /** of the progressive overrides that decide where its fields come from */
  readonly overrideLabels: readonly string[]
  /**
   * Ready to run for callers who do not fulfil these requirements, with these labels on.
   * @throws {GraphQLError} when what is left cannot be planned
   */
  without(unmet: readonly Requirement[], labels: readonly string[]): RunnableOperation
  /** The same with the parts later that it defers with these variables; undefined where there are none. */
  inParts?(variables: Readonly<Record<string, unknown>>): PlannedOperation | undefined
}

/** An operation with its plan. */
export interface RunnableOperation {
  /** places of the answer that are not fetched, since the caller may not see them */
  refused(variables: Readonly<Record<string, unknown>>): readonly RefusedPath[]
  readonly run: Run
  /** what is fetched, and in which order; absent where nothing is */
  readonly plan?: PlanRoot
  /** of a subscription; absent when its caller may not see it */
  readonly subscription?: PlannedSubscription
}

export interface PlannedSubscription {
  /** its first fetch, and the rest */
  readonly node: SubscriptionNode
  /** how it is continued after an interruption, where it can be */
  readonly resume: ResumeRule | undefined
  /** equal for what is answered equally: the plan, and what the supergraph rules for the fields */
  readonly identity: string
  /** the client's variables by the names that they have in the fetches */
  readonly named: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

export interface OperationPlanner {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** names of the subgraphs */
  readonly subgraphs: readonly string[]
  readonly requirements: Requirements
  readonly costs: CostDirectives
  /** by which answers, and what subgraphs give, may be kept */
  readonly caching: CachedSourceOptions['rules']
  /** @throws {GraphQLError} LIMIT_EXCEEDED for an operation that is too complex to be planned, BAD_REQUEST for one that no subgraph can answer */
  planned(document: DocumentNode, definition: OperationDefinitionNode): PlannedOperation
}

/**
 * @param sdl - text of a federation v2 supergraph   @param kept - plans of the supergraphs before this one
 * @throws {Error} when it is none
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
  // clients see the supergraph as it was given
  const apiSchema = (standIns.size === 0 ? supergraph : Supergraph.build(sdl, { supportedFeatures })).apiSchema()
  // the types of introspection are those of graphql-js then, which knows more of them
  const schema = buildSchema(printSchema(apiSchema.toGraphQLJSSchema({ includeDefer: true })))
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema()

  const operationOf = ({ document, definition }: Asked): Operation => {
    try {
      return operationFromDocument(apiSchema, document, definition.name === undefined ? {} : { operationName: definition.name.value })
    } catch (error) {
      // the planner's own word for a document that the schema does not allow
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

  /** The plan of a subscription that asks for the numbers of its events, too; undefined where it cannot be continued by them. */
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

/** The deferred parts of an operation. */
interface Parts {
  readonly labelOf: PartLabels
  /** the operation without them, which is answered where it cannot be planned in parts: what is deferred may come at once */
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

/** Ways in which the variables of `@defer` may divide one answer, whose plans are kept. */
const maxDivisions = 16

/** Ways in which callers may differ in what they may see of an operation, whose plans are kept. */
const maxCallers = 32

const shownName = ({ shown }: PrivatelyNamed, name: string): string => shown?.(name) ?? name

function stepsOf(node: PlanRoot): PlanNode | undefined {
  if (node?.kind !== 'Subscription') return node
  const { primary, rest } = node
  return rest === undefined ? primary : { kind: 'Sequence', nodes: [primary, rest] }
}
