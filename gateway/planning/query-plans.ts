import '../telemetry/apollo-opt-out.ts'
import type { Operation } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { PlanRoot } from './kept-plans.ts'
import { withRequirements } from './required-fetches.ts'
import type { PlannableSupergraph } from './supergraph/plannable-supergraph.ts'

/**
 * Alternatives that the planner may weigh for one operation. Their number doubles with each field that two ways lead to; Apollo's own
 * bound of 10,000 lets a document of forty fields take four seconds, this one thirty milliseconds. What is beyond it is not refused: fewer
 * ways are looked at.
 */
const maxAlternatives = 100

/**
 * Makes query plans, by Apollo's planner.
 * @returns the plan of an operation with these override labels on, undefined where it makes none; throws a GraphQLError with LIMIT_EXCEEDED or BAD_REQUEST
 */
export function queryPlans({
  supergraph,
  standIns,
  required,
}: Pick<PlannableSupergraph, 'supergraph' | 'standIns' | 'required'>): (operation: Operation, labels: readonly string[]) => PlanRoot {
  const made = new Map<string, QueryPlanner>()
  /** Made when it is first asked for; one that defers parts has a graph with more ways. */
  const plannerOf = (enableDefer: boolean, maxEvaluatedPlans: number): QueryPlanner => {
    const key = `${enableDefer} ${maxEvaluatedPlans}`
    const planner = made.get(key) ?? new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans }, incrementalDelivery: { enableDefer } })
    made.set(key, planner)
    return planner
  }
  plannerOf(false, maxAlternatives)

  return (operation, labels) => {
    const hasParts = operation.selectionSet.hasDefer()
    const options = { overrideConditions: new Map(labels.map((label) => [label, true])) }
    const plan = (alternatives: number): PlanRoot => plannerOf(hasParts, alternatives).buildQueryPlan(operation, options).node
    const node = attempted(
      () => plan(maxAlternatives),
      // it stumbles over some of the ways that it weighs, and a single one is not weighed
      () => plan(1),
    )
    return node && withRequirements(node, { standIns, required })
  }
}

/** @throws {GraphQLError} LIMIT_EXCEEDED or BAD_REQUEST  @throws {Error} where the planner fails, which is a bug of it */
function attempted(plan: () => PlanRoot, again: () => PlanRoot): PlanRoot {
  try {
    try {
      return plan()
    } catch (error) {
      if (isGuard(error)) throw error
      return again()
    }
  } catch (error) {
    if (/able to find any options/.test(messageOf(error))) throw unanswerable()
    if (isGuard(error)) throw new GraphQLError('The operation is too complex to be planned', { extensions: { code: 'LIMIT_EXCEEDED' } })
    throw new Error(`the query planner fails: ${messageOf(error)}`, { cause: error })
  }
}

/** The planner guards itself against operations whose plan would explode, with an error of its own. */
const isGuard = (error: unknown): boolean => /exceed/i.test(messageOf(error))

/**
 * The planner makes no plan for what nothing can give, say an interface that nothing implements.
 * @throws {GraphQLError} when an operation without a plan asks for more than type names
 */
export function checkPlanned({ selectionSet }: Operation): void {
  for (const selection of selectionSet.selections()) {
    if (selection.kind !== 'FieldSelection' || selection.element.name === '__typename') continue
    if (selection.element.appliedDirectives.length > 0) continue
    throw unanswerable()
  }
}

const unanswerable = (): GraphQLError => new GraphQLError('No subgraph can give what is asked for', { extensions: { code: 'BAD_REQUEST' } })
