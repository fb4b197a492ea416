import type { OperationLimits } from '../admission/operation-limits.ts'
import type { Executor, PreparedOperation } from '../executor/executor.ts'
import { type ClientOperations, clientOperations } from './client-operations.ts'
import { type CostLimitedExecutor, withinCost } from './cost-limit.ts'
import type { RegisteredOperations } from './persisted-operations.ts'
import { disclosingPlans, type MayReadPlans, type PlanDisclosure } from './plan-disclosure.ts'
import { withinSize } from './response-size.ts'
import type { GatewayTelemetry } from './telemetry/gateway-telemetry.ts'
import { observedExecutor } from './telemetry/observed-executor.ts'

/** A graph as clients use it, with everything derived from its schema. A request keeps the graph with which it started. */
export interface ClientGraph {
  readonly executor: CostLimitedExecutor & PlanDisclosure
  readonly operations: ClientOperations
}

export interface ClientGraphRules {
  readonly limits: OperationLimits
  /** whether clients may introspect the schema */
  readonly introspection: boolean
  /** assumed lengths of lists without a size argument, by `Type.field` */
  readonly listLengths: Readonly<Record<string, number>> | undefined
  /** maximum assumed length of a list: the graph refuses larger sizes (default: unlimited) */
  readonly maxListLength: number | undefined
  /** records executed operations */
  readonly telemetry: GatewayTelemetry | undefined
  readonly registered: RegisteredOperations | undefined
  /** which callers may see query plans (default: none) */
  readonly mayReadPlans: MayReadPlans | undefined
}

export function clientGraph(executor: Executor, rules: ClientGraphRules): ClientGraph {
  const { limits, introspection, listLengths, maxListLength, telemetry, registered, mayReadPlans = () => false } = rules
  const priced = withinCost(withinSize(executor), limits.cost, { lengths: listLengths, longest: maxListLength }, telemetry)
  const limited = disclosingPlans(priced, mayReadPlans)
  const isRegistered = ({ text }: PreparedOperation): boolean => registered?.manifest().has(text) === true
  const observed = telemetry === undefined ? limited : observedExecutor(limited, telemetry, isRegistered)
  return { executor: observed, operations: clientOperations(observed, limits, introspection) }
}
