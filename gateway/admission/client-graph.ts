import type { Executor, PreparedOperation } from '../executor.ts'
import type { GatewayTelemetry } from '../telemetry/gateway-telemetry.ts'
import { observedExecutor } from '../telemetry/observed-executor.ts'
import { type MayReadPlans, type PlanTelling, tellingPlans } from '../telemetry/told-plan.ts'
import { type ClientOperations, clientOperations } from './client-operations.ts'
import { type CostLimited, withinCost } from './cost-limit.ts'
import type { OperationLimits } from './operation-limits.ts'
import type { RegisteredOperations } from './persisted-operations.ts'

/** A graph as clients use it, with all that hangs on its schema. A request keeps to the one with which it has begun. */
export interface ClientGraph {
  readonly executor: CostLimited & PlanTelling
  readonly operations: ClientOperations
}

export interface ClientGraphRules {
  readonly limits: OperationLimits
  /** whether clients may read the schema */
  readonly introspection: boolean
  /** what lists that take no length are taken to hold, by `Type.field` */
  readonly listLengths: Readonly<Record<string, number>> | undefined
  /** the most that a list is taken to hold: the graph itself refuses those who ask for more (default: any number) */
  readonly longestList: number | undefined
  /** notes what is executed */
  readonly telemetry: GatewayTelemetry | undefined
  readonly registered: RegisteredOperations | undefined
  /** who may know how operations are planned (default: nobody) */
  readonly mayReadPlans: MayReadPlans | undefined
}

export function clientGraph(executor: Executor, rules: ClientGraphRules): ClientGraph {
  const { limits, introspection, listLengths, longestList, telemetry, registered, mayReadPlans = () => false } = rules
  const limited = tellingPlans(withinCost(executor, limits.cost, { lengths: listLengths, longest: longestList }, telemetry), mayReadPlans)
  const isRegistered = ({ text }: PreparedOperation): boolean => registered?.manifest().has(text) === true
  const observed = telemetry === undefined ? limited : observedExecutor(limited, telemetry, isRegistered)
  return { executor: observed, operations: clientOperations(observed, limits, introspection) }
}
