import { prettyFormatQueryPlan, type QueryPlan } from '@apollo/query-planner'
import type { ExecutionResult } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { Executor } from '../executor/executor.ts'

export interface PlanDisclosure {
  /** Requests the query plan in `extensions.queryPlan` of the response to this request, if its caller may see it. */
  disclosePlan(context: RequestContext): void
}

/** Whether a caller may see query plans: the subgraphs and their queries. */
export type MayReadPlans = (principal: Principal) => boolean

/** Wraps an executor: responses contain the plan if their caller requests and may see it. */
export function disclosingPlans<Wrapped extends Executor>(executor: Wrapped, mayRead: MayReadPlans): Wrapped & PlanDisclosure {
  const requests = new WeakSet<RequestContext>()
  return {
    ...executor,
    disclosePlan: (context) => void (mayRead(context.principal) && requests.add(context)),
    async execute(operation, variables, context, delivery) {
      const result = await executor.execute(operation, variables, context, delivery)
      if (!requests.has(context) || result.data === undefined) return result
      const queryPlan = formatted(await executor.planOf(operation, context))
      return { ...result, extensions: { ...result.extensions, queryPlan } }
    },
  }
}

/** Formats the plan for programs and for people. */
function formatted(plan: QueryPlan): NonNullable<ExecutionResult['extensions']> {
  return { object: plan, text: prettyFormatQueryPlan(plan) }
}
