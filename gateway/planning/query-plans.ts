import '../supergraph/apollo-opt-out.ts'
import type { Operation } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { PlanRoot } from './plan-cache.ts'
import type { PlannableSupergraph } from './plannable-supergraph.ts'
import { withRequirements } from './required-fetches.ts'

/**
 * Maximum alternatives that the planner evaluates. Their number doubles with each field that two subgraphs can resolve; with Apollo's limit of 10,000
 * a document of forty fields takes four seconds, with this one 30 ms. Beyond it fewer alternatives are evaluated; nothing is refused.
 */
const maxAlternatives = 100

/**
 * Plans an operation with the override labels that are on. @returns undefined if nothing must be fetched
 * @throws {GraphQLError} LIMIT_EXCEEDED or BAD_REQUEST
 */
export type MakePlan = (operation: Operation, labels: readonly string[]) => PlanRoot

/** Creates query plans with Apollo's planner. */
export function queryPlans({
  supergraph,
  placeholders,
  required,
}: Pick<PlannableSupergraph, 'supergraph' | 'placeholders' | 'required'>): MakePlan {
  const planners = new Map<string, QueryPlanner>()
  /** Created on first use; with deferral it has a larger query graph. */
  const plannerOf = (enableDefer: boolean, maxEvaluatedPlans: number): QueryPlanner => {
    const key = `${enableDefer} ${maxEvaluatedPlans}`
    const planner =
      planners.get(key) ?? new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans }, incrementalDelivery: { enableDefer } })
    planners.set(key, planner)
    return planner
  }
  plannerOf(false, maxAlternatives)

  return (operation, labels) => {
    const hasParts = operation.selectionSet.hasDefer()
    const options = { overrideConditions: new Map(labels.map((label) => [label, true])) }
    const plan = (alternatives: number): PlanRoot => plannerOf(hasParts, alternatives).buildQueryPlan(operation, options).node
    const node = attempted(
      () => plan(maxAlternatives),
      // some alternatives make it fail; a single one is not evaluated
      () => plan(1),
    )
    return node && withRequirements(node, { placeholders, required })
  }
}

/**
 * @throws {GraphQLError} LIMIT_EXCEEDED or BAD_REQUEST
 * @throws {Error} for a bug of the planner
 */
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
    if (isGuard(error))
      throw new GraphQLError('The operation is too complex to be planned: request fewer fields, or split it into several operations', {
        extensions: { code: 'LIMIT_EXCEEDED' },
      })
    throw new Error(`the query planner fails: ${messageOf(error)}`, { cause: error })
  }
}

/** Whether the planner refuses an operation whose plan would be too large. */
const isGuard = (error: unknown): boolean => /exceed/i.test(messageOf(error))

/** Refuses an operation without a plan, such as on an interface without implementations. @throws {GraphQLError} unless it requests only type names */
export function checkPlanned({ selectionSet }: Operation): void {
  for (const selection of selectionSet.selections()) {
    if (selection.kind !== 'FieldSelection' || selection.element.name === '__typename') continue
    if (selection.element.appliedDirectives.length > 0) continue
    throw unanswerable()
  }
}

const unanswerable = (): GraphQLError => new GraphQLError('No subgraph can resolve the operation', { extensions: { code: 'BAD_REQUEST' } })
