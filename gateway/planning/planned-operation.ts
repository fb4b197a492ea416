import '../no-telemetry.ts'
import { type Operation, operationFromDocument, type Supergraph } from '@apollo/federation-internals'
import { type QueryPlan, QueryPlanner, type SubscriptionNode } from '@apollo/query-planner'
import { type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import { messageOf } from '../../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import { type ResumeRule, resumable } from '../subscriptions/resume.ts'
import { apolloExecution } from './apollo-execution.ts'
import type { Execution, Fetchers } from './execution.ts'
import { compilePlan, type PlanRun } from './plan-execution.ts'
import { resultShape } from './result-shape.ts'

/** What is worked out once for an operation. */
export interface PlannedOperation {
  readonly run: (variables: Readonly<Record<string, unknown>>, context: RequestContext, sources: Fetchers) => Promise<Execution>
  /** of a subscription: its first fetch, and how it is continued after an interruption, where it can be */
  readonly subscription?: { readonly node: SubscriptionNode; readonly resume: ResumeRule | undefined }
}

export interface OperationPlanner {
  /** the API schema: what clients see */
  readonly schema: GraphQLSchema
  /** @throws {GraphQLError} LIMIT_EXCEEDED for an operation that is too complex to be planned */
  planned(document: DocumentNode, definition: OperationDefinitionNode): PlannedOperation
}

/**
 * Alternatives that the planner may weigh for one operation. Their number doubles with each field that two ways lead to; Apollo's own
 * bound of 10,000 lets a document of forty fields take four seconds, this one thirty milliseconds. What is beyond it is not refused: fewer
 * ways are looked at.
 */
const maxAlternatives = 100

export function operationPlanner(supergraph: Supergraph): OperationPlanner {
  const planner = new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: maxAlternatives } })
  const apiSchema = supergraph.apiSchema()
  const schema = apiSchema.toGraphQLJSSchema()
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema()

  const operationOf = (document: DocumentNode, definition: OperationDefinitionNode): Operation =>
    operationFromDocument(apiSchema, document, definition.name === undefined ? {} : { operationName: definition.name.value })

  const planOf = (operation: Operation): QueryPlan => {
    try {
      return planner.buildQueryPlan(operation)
    } catch (error) {
      // The planner guards itself against operations whose plan would explode, with an error of its own.
      if (!/exceed/i.test(messageOf(error))) throw error
      throw new GraphQLError('The operation is too complex to be planned', { extensions: { code: 'LIMIT_EXCEEDED' } })
    }
  }

  /** The plan of a subscription that asks for the numbers of its events, too; undefined where it cannot be continued by them. */
  const continuedPlan = (
    document: DocumentNode,
    definition: OperationDefinitionNode,
  ): { readonly node: SubscriptionNode; readonly resume: ResumeRule } | undefined => {
    const numbered = definition.operation === 'subscription' ? resumable(schema, document, definition) : undefined
    const node = numbered && planOf(operationOf(numbered.document, numbered.definition)).node
    const resume = node?.kind === 'Subscription' ? numbered?.ruleIn(node.primary) : undefined
    return node?.kind === 'Subscription' && resume !== undefined ? { node, resume } : undefined
  }

  return {
    schema,
    planned(document, definition) {
      const operation = operationOf(document, definition)
      const shape = resultShape(operation)
      const continued = continuedPlan(document, definition)
      const { node } = continued ?? planOf(operation)
      const nodeToRun =
        node?.kind !== 'Subscription'
          ? node
          : node.rest === undefined
            ? node.primary
            : { kind: 'Sequence' as const, nodes: [node.primary, node.rest] }
      const step = compilePlan(nodeToRun, { supergraph: supergraphSchema, defaults: operation.collectDefaultedVariableValues() })
      const subscription = node?.kind === 'Subscription' ? { node, resume: continued?.resume } : undefined
      const run: PlannedOperation['run'] =
        step === undefined || shape === undefined
          ? apolloExecution({
              plan: { kind: 'QueryPlan', ...(nodeToRun === undefined ? {} : { node: nodeToRun }) },
              document,
              definition,
              schema,
              apiSchema,
              supergraphSchema,
            })
          : async (variables, context, sources) => {
              const run: PlanRun = { variables, context, sources, data: {}, errors: [] }
              await step(run)
              const { data, problems } = shape(run.data, variables)
              // What is missing because of an error has been told by that error.
              return { data, errors: run.errors, problems: run.errors.length > 0 ? [] : problems }
            }
      return { run, ...(subscription === undefined ? {} : { subscription }) }
    },
  }
}
