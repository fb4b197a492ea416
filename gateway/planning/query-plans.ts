import '../telemetry/apollo-opt-out.ts'
import type { Operation, Supergraph } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { messageOf } from '../../subgraphs/foundation/fault.ts'
import type { PlanRoot } from './kept-plans.ts'
import { withRequirements } from './required-fetches.ts'
import type { StandIns } from './supergraph/stand-ins.ts'

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
export function queryPlans(supergraph: Supergraph, standIns: StandIns): (operation: Operation, labels: readonly string[]) => PlanRoot {
  const planner = new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: maxAlternatives } })
  /** made when parts are first deferred: its graph of ways has more of them */
  let deferring: QueryPlanner | undefined
  const plannerOf = (hasParts: boolean): QueryPlanner => {
    if (!hasParts) return planner
    deferring ??= new QueryPlanner(supergraph, {
      debug: { maxEvaluatedPlans: maxAlternatives },
      incrementalDelivery: { enableDefer: true },
    })
    return deferring
  }

  return (operation, labels) => {
    try {
      const { node } = plannerOf(operation.selectionSet.hasDefer()).buildQueryPlan(operation, {
        overrideConditions: new Map(labels.map((label) => [label, true])),
      })
      return node && withRequirements(node, standIns)
    } catch (error) {
      if (/able to find any options/.test(messageOf(error))) throw unanswerable()
      // The planner guards itself against operations whose plan would explode, with an error of its own.
      if (!/exceed/i.test(messageOf(error))) throw error
      throw new GraphQLError('The operation is too complex to be planned', { extensions: { code: 'LIMIT_EXCEEDED' } })
    }
  }
}

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
