import { prettyFormatQueryPlan, type QueryPlan } from '@apollo/query-planner'
import type { ExecutionResult } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'
import type { Executor } from '../executor.ts'

export interface PlanTelling {
  /** Says that the answer to this request is to tell how it was planned, in `extensions.queryPlan`, if its caller may know. */
  tellPlan(context: RequestContext): void
}

/** Whether a caller may know how operations are planned: which subgraphs there are, and what they are asked. */
export type MayReadPlans = (principal: Principal) => boolean

/** The executor, but answers tell the plan where their caller wants it and may know it. Others get the same answer without. */
export function tellingPlans<Told extends Executor>(executor: Told, mayRead: MayReadPlans): Told & PlanTelling {
  const asked = new WeakSet<RequestContext>()
  return {
    ...executor,
    tellPlan: (context) => void (mayRead(context.principal) && asked.add(context)),
    async execute(operation, variables, context, delivery) {
      const result = await executor.execute(operation, variables, context, delivery)
      if (!asked.has(context) || result.data === undefined) return result
      const queryPlan = told(await executor.planOf(operation, context))
      return { ...result, extensions: { ...result.extensions, queryPlan } }
    },
  }
}

/** For programs and for people. */
function told(plan: QueryPlan): NonNullable<ExecutionResult['extensions']> {
  return { object: plan, text: prettyFormatQueryPlan(plan) }
}
