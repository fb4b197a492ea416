import '../no-telemetry.ts'
import { type Operation, operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { type PlanNode, type QueryPlan, QueryPlanner, type SubscriptionNode } from '@apollo/query-planner'
import { buildSchema, type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode, printSchema } from 'graphql'
import { messageOf } from '../../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import { type ResumeRule, resumable } from '../subscriptions/resume.ts'
import { type ResultShape, resultShape } from './completion/result-shape.ts'
import { type IntrospectionApart, introspectionApart } from './introspection.ts'
import { plannableSupergraph } from './plannable-supergraph.ts'
import { type PrivatelyNamed, privatelyNamed } from './private-names.ts'
import { withRequirements } from './required-fetches.ts'
import type { Execution, Fetchers } from './steps/execution.ts'
import { compilePlan, type PlanRun, type PlanStep } from './steps/plan-execution.ts'

/** What is worked out once for an operation. */
export interface PlannedOperation {
  readonly run: (variables: Readonly<Record<string, unknown>>, context: RequestContext, sources: Fetchers) => Promise<Execution>
  /** of a subscription: its first fetch, and how it is continued after an interruption, where it can be */
  readonly subscription?: { readonly node: SubscriptionNode; readonly resume: ResumeRule | undefined }
}

export interface OperationPlanner {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** names of the subgraphs */
  readonly subgraphs: readonly string[]
  /** @throws {GraphQLError} LIMIT_EXCEEDED for an operation that is too complex to be planned, BAD_REQUEST for one that no subgraph can answer */
  planned(document: DocumentNode, definition: OperationDefinitionNode): PlannedOperation
}

/**
 * Alternatives that the planner may weigh for one operation. Their number doubles with each field that two ways lead to; Apollo's own
 * bound of 10,000 lets a document of forty fields take four seconds, this one thirty milliseconds. What is beyond it is not refused: fewer
 * ways are looked at.
 */
const maxAlternatives = 100

/**
 * @param sdl - text of a federation v2 supergraph
 * @throws {Error} when it is none
 */
export function operationPlanner(sdl: string): OperationPlanner {
  const { supergraph, standIns, fetched } = plannableSupergraph(sdl)
  const planner = new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: maxAlternatives } })
  // clients see the supergraph as it was given
  const apiSchema = (standIns.fields.size === 0 ? supergraph : Supergraph.build(sdl)).apiSchema()
  // the types of introspection are those of graphql-js then, which knows more of them
  const schema = buildSchema(printSchema(apiSchema.toGraphQLJSSchema()))
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema()

  const operationOf = ({ document, definition }: Asked): Operation =>
    operationFromDocument(apiSchema, document, definition.name === undefined ? {} : { operationName: definition.name.value })

  const planOf = (operation: Operation): QueryPlan['node'] => {
    try {
      const { node } = planner.buildQueryPlan(operation)
      return node && withRequirements(node, standIns)
    } catch (error) {
      if (/able to find any options/.test(messageOf(error))) throw unanswerable()
      // The planner guards itself against operations whose plan would explode, with an error of its own.
      if (!/exceed/i.test(messageOf(error))) throw error
      throw new GraphQLError('The operation is too complex to be planned', { extensions: { code: 'LIMIT_EXCEEDED' } })
    }
  }

  /** The plan of a subscription that asks for the numbers of its events, too; undefined where it cannot be continued by them. */
  const continuedPlan = ({ document, definition }: Asked): { readonly node: SubscriptionNode; readonly resume: ResumeRule } | undefined => {
    const numbered = definition.operation === 'subscription' ? resumable(schema, document, definition) : undefined
    const node = numbered && planOf(operationOf(numbered))
    const resume = node?.kind === 'Subscription' ? numbered?.ruleIn(node.primary) : undefined
    return node?.kind === 'Subscription' && resume !== undefined ? { node, resume } : undefined
  }

  const plannedRest = (asked: Asked): PlannedOperation => {
    const named = privatelyNamed(asked.document, asked.definition, fetched)
    const operation = operationOf(named)
    const continued = continuedPlan(named)
    const node = continued?.node ?? planOf(operation)
    const defaults = operation.collectDefaultedVariableValues()
    if (node === undefined) checkPlanned(operation)
    const step = compilePlan(stepsOf(node), { supergraph: supergraphSchema, standIns: standIns.fields, defaults })
    const subscription = node?.kind === 'Subscription' ? { node, resume: continued?.resume } : undefined
    const run = executing(step, resultShape(operation, named.shown), named)
    return { run, ...(subscription === undefined ? {} : { subscription }) }
  }

  return {
    schema,
    subgraphs: supergraph.subgraphsMetadata().map(({ name }) => name),
    planned(document, definition) {
      const apart = introspectionApart(schema, document, definition)
      const rest = apart.rest && plannedRest(apart.rest)
      return apart.introspect === undefined && rest !== undefined ? rest : { run: together(apart, rest) }
    },
  }
}

type Asked = Pick<PrivatelyNamed, 'document' | 'definition'>

function stepsOf(node: QueryPlan['node']): PlanNode | undefined {
  if (node?.kind !== 'Subscription') return node
  const { primary, rest } = node
  return rest === undefined ? primary : { kind: 'Sequence', nodes: [primary, rest] }
}

/**
 * The planner makes no plan for what nothing can give, say an interface that nothing implements.
 * @throws {GraphQLError} when an operation without a plan asks for more than type names
 */
function checkPlanned({ selectionSet }: Operation): void {
  for (const selection of selectionSet.selections()) {
    if (selection.kind !== 'FieldSelection' || selection.element.name === '__typename') continue
    if (selection.element.appliedDirectives.length > 0) continue
    throw unanswerable()
  }
}

const unanswerable = (): GraphQLError => new GraphQLError('No subgraph can give what is asked for', { extensions: { code: 'BAD_REQUEST' } })

const executing =
  (step: PlanStep, shape: ResultShape, { shown }: PrivatelyNamed): PlannedOperation['run'] =>
  async (variables, context, sources) => {
    const run: PlanRun = { variables, context, sources, data: {}, errors: [] }
    await step(run)
    const { data, problems } = shape(run.data, variables)
    const errors = shown === undefined ? run.errors : run.errors.map((error) => pathShown(error, shown))
    // What is missing because of an error has been told by that error.
    return { data, errors, problems: errors.length > 0 ? [] : problems }
  }

function pathShown(error: GraphQLError, shown: (name: string) => string): GraphQLError {
  const { message, path, extensions, originalError } = error
  if (path === undefined) return error
  return new GraphQLError(message, { path: path.map((step) => (typeof step === 'string' ? shown(step) : step)), extensions, originalError })
}

/** Answers about the schema beside those of the subgraphs, in the order in which they were asked for. */
const together =
  ({ introspect, order }: IntrospectionApart, rest: PlannedOperation | undefined): PlannedOperation['run'] =>
  async (variables, context, sources) => {
    const own = introspect?.(variables) ?? { data: {}, errors: [] }
    const { data, errors, problems } = (await rest?.run(variables, context, sources)) ?? { data: {}, errors: [], problems: [] }
    const both = data && own.data && { ...data, ...own.data }
    return {
      data: both && Object.fromEntries([...new Set(order)].filter((name) => Object.hasOwn(both, name)).map((name) => [name, both[name]])),
      errors: [...own.errors, ...errors],
      problems,
    }
  }
