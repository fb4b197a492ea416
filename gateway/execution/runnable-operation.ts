import '../supergraph/apollo-opt-out.ts'
import { type Operation, operationFromDocument, type Schema } from '@apollo/federation-internals'
import type { PlanNode, SubscriptionNode } from '@apollo/query-planner'
import { GraphQLError, type GraphQLSchema, print } from 'graphql'
import type { AllowedOperation, RefusedPart, RefusedPath, RefusedPlace } from '../authorization/allowed-operation.ts'
import type { PartLabels } from '../operation/deferred-fragments.ts'
import type { SelectedOperation } from '../operation/prepared-operation.ts'
import { type ResumeRule, resumable } from '../operation/resume.ts'
import { withConditionalObjects } from '../planning/conditional-objects.ts'
import type { PlanBasis } from '../planning/plan-basis.ts'
import type { PlanCache, PlanRoot } from '../planning/plan-cache.ts'
import type { PlannableSupergraph } from '../planning/plannable-supergraph.ts'
import type { PrivateOperation } from '../planning/private-names.ts'
import { checkPlanned, type MakePlan } from '../planning/query-plans.ts'
import { resultShape } from './completion/result-shape.ts'
import type { ResponseNames } from './completion/value-completion.ts'
import { type Run, running } from './operation-run.ts'
import { compilePlan } from './steps/plan-execution.ts'

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

/** A supergraph prepared for planning its operations. */
export interface PlanningGraph extends Pick<PlannableSupergraph, 'placeholders' | 'required' | 'entities'> {
  /** the API schema, for graphql-js and for Apollo's planner */
  readonly schema: GraphQLSchema
  readonly apiSchema: Schema
  /** the whole supergraph, with the implementing types of interfaces */
  readonly supergraphSchema: GraphQLSchema
  readonly basisOf: (operation: SelectedOperation) => PlanBasis
  readonly makePlan: MakePlan
  /** plans of previous supergraphs; absent: none are reused */
  readonly cache: PlanCache | undefined
}

/** The form in which an operation is planned. */
export interface PlanningVariant {
  readonly named: PrivateOperation
  /** labels of progressive overrides that are on */
  readonly labels: readonly string[]
  /** maps labels of deferred results; absent: nothing is deferred */
  readonly labelOf: PartLabels | undefined
}

/** Plans the allowed part of an operation. @throws {GraphQLError} if it cannot be planned */
export function runnableOperation(
  graph: PlanningGraph,
  { operation: allowed, refused }: AllowedOperation,
  { named, labels, labelOf }: PlanningVariant,
): RunnableOperation {
  const planned = allowed && operationOf(graph, allowed)
  const operation = planned === undefined || refused !== undefined ? operationOf(graph, refused?.shape ?? named) : planned
  const resumablePlan = allowed && resumableSubscription(graph, allowed, labels)
  const node = resumablePlan?.node ?? (allowed && planned && planOf(graph, allowed, planned, labels))
  if (node === undefined && planned !== undefined) checkPlanned(planned)
  const defaults = operation.collectDefaultedVariableValues()
  const { placeholders, required, entities, supergraphSchema: supergraph } = graph
  const step = compilePlan(stepsOf(node), { supergraph, placeholders, required, entities, defaults })
  const { renamed = (variables) => variables } = named
  const subscription =
    node?.kind === 'Subscription'
      ? { node, resume: resumablePlan?.resume, identity: identityOf(graph, node, named, refused), named: renamed }
      : undefined
  const refusedPlaces = (variables: Readonly<Record<string, unknown>>): readonly RefusedPlace[] =>
    refused?.places(variables).map((place) => ({ ...place, path: place.path.map((name) => clientName(named, name)) })) ?? []
  const run = running({ step, shape: resultShape(operation, namingOf(named, refused)), shown: named.shown, refusedPlaces, labelOf })
  return {
    run: (variables, context, sources) => run(renamed(variables), context, sources),
    refused: (variables) => refusedPlaces(renamed(variables)).map(({ path }) => path),
    plan: node,
    ...(subscription === undefined ? {} : { subscription }),
  }
}

function operationOf({ apiSchema }: PlanningGraph, { document, definition }: SelectedOperation): Operation {
  try {
    return operationFromDocument(apiSchema, document, definition.name === undefined ? {} : { operationName: definition.name.value })
  } catch (error) {
    // the planner's code for a document that is invalid against the schema
    if (error instanceof GraphQLError && error.extensions.code === 'INVALID_GRAPHQL') error.extensions.code = 'GRAPHQL_VALIDATION_FAILED'
    throw error
  }
}

function planOf(graph: PlanningGraph, selected: SelectedOperation, operation: Operation, labels: readonly string[]): PlanRoot {
  const { document, definition } = selected
  const make = (): PlanRoot => {
    const fetched = withConditionalObjects(selected)
    return graph.makePlan(fetched.document === document ? operation : operationOf(graph, fetched), labels)
  }
  if (graph.cache === undefined) return make()
  const text = JSON.stringify([definition.name?.value, labels, print(document)])
  return graph.cache.planOf(text, graph.basisOf(selected).digest, make)
}

/** Returns the plan of a subscription with event numbers added; undefined if it cannot be resumed by them. */
function resumableSubscription(
  graph: PlanningGraph,
  { document, definition }: SelectedOperation,
  labels: readonly string[],
): { readonly node: SubscriptionNode; readonly resume: ResumeRule } | undefined {
  const numbered = definition.operation === 'subscription' ? resumable(graph.schema, document, definition) : undefined
  const node = numbered && planOf(graph, numbered, operationOf(graph, numbered), labels)
  const resume = node?.kind === 'Subscription' ? numbered?.ruleIn(node.primary) : undefined
  return node?.kind === 'Subscription' && resume !== undefined ? { node, resume } : undefined
}

const identityOf = (
  { basisOf }: PlanningGraph,
  node: SubscriptionNode,
  named: PrivateOperation,
  refused: RefusedPart | undefined,
): string => JSON.stringify([node, basisOf(named).rules, refused && print(refused.shape.definition)])

const namingOf = (named: PrivateOperation, refused: RefusedPart | undefined): ResponseNames => ({
  shown: (name) => clientName(named, refused?.nameOf(name) ?? name),
  isRefused: (name) => refused?.nameOf(name) !== undefined,
  hiddenTypes: refused?.hiddenTypes ?? new Set(),
})

const clientName = ({ shown }: PrivateOperation, name: string): string => shown?.(name) ?? name

function stepsOf(node: PlanRoot): PlanNode | undefined {
  if (node?.kind !== 'Subscription') return node
  const { primary, rest } = node
  return rest === undefined ? primary : { kind: 'Sequence', nodes: [primary, rest] }
}
