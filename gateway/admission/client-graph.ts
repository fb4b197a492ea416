import type { Executor } from '../executor.ts'
import { type ClientOperations, clientOperations } from './client-operations.ts'
import { type CostLimited, withinCost } from './cost-limit.ts'
import type { OperationLimits } from './operation-limits.ts'

/** A graph as clients use it, with all that hangs on its schema. A request keeps to the one with which it has begun. */
export interface ClientGraph {
  readonly executor: CostLimited
  readonly operations: ClientOperations
}

export interface ClientGraphRules {
  readonly limits: OperationLimits
  /** whether clients may read the schema */
  readonly introspection: boolean
  /** what lists that take no length are taken to hold, by `Type.field` */
  readonly listLengths: Readonly<Record<string, number>> | undefined
}

export function clientGraph(executor: Executor, { limits, introspection, listLengths }: ClientGraphRules): ClientGraph {
  const limited = withinCost(executor, limits.cost, listLengths)
  return { executor: limited, operations: clientOperations(limited, limits, introspection) }
}
