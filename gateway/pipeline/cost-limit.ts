import { type ExecutionResult, GraphQLError } from 'graphql'
import { loopTurns } from '../../foundation/concurrency/loop-turns.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { introspectionCost } from '../admission/introspection-cost.ts'
import { type CostRules, operationCost } from '../admission/operation-cost.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { Executor } from '../executor/executor.ts'
import { oncePerOperation, type PreparedOperation } from '../operation/prepared-operation.ts'
import type { GatewayTelemetry } from './telemetry/gateway-telemetry.ts'

/** estimated cost of operations that begin at once: a few fields, a short list */
const smallCost = 50

/** An executor with a cost limit. */
export interface CostLimitedExecutor extends Executor {
  /** Requests that the response to this request contains its estimated cost in `extensions.cost`. */
  report(context: RequestContext): void
}

/**
 * Wraps an executor: refuses operations with an estimated cost above `max` with LIMIT_EXCEEDED and the estimate. Those that are not small begin in
 * turn (see `loopTurns`).
 * @param lists - assumed and maximum lengths of lists
 * @param telemetry - receives each estimate
 */
export function withinCost(
  executor: Executor,
  max: number,
  lists: { readonly lengths?: CostRules['lengths'] | undefined; readonly longest?: number | undefined } = {},
  telemetry?: Pick<GatewayTelemetry, 'costEstimated'>,
): CostLimitedExecutor {
  const { schema } = executor
  const rules = {
    schema,
    directives: executor.costs,
    introspection: introspectionCost(schema, max),
    lengths: lists.lengths ?? {},
    longest: lists.longest ?? Number.POSITIVE_INFINITY,
  }
  const costOf = oncePerOperation((operation) => operationCost(rules, operation))
  const reported = new WeakSet<RequestContext>()
  const nextTurn = loopTurns({ maxPerOwner: 1000, maxWaiting: 4000, maxWaitMs: 10_000 })
  /** @returns the refusal, if too many wait; undefined when the operation may begin */
  const turn = async (estimated: number, context: RequestContext): Promise<ExecutionResult | undefined> => {
    if (estimated <= smallCost) return undefined
    try {
      await nextTurn(context.address, context.signal)
      return undefined
    } catch (error) {
      return failedResult(error, context)
    }
  }

  /** @returns the refusal, or the estimate */
  const estimate = (
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | number => {
    try {
      const estimated = costOf(operation)(variables)
      telemetry?.costEstimated(context, estimated)
      return estimated > max ? failedResult(tooExpensive(estimated, max), context) : estimated
    } catch (error) {
      // a null length for a non-null argument is reported as an invalid variable
      return executor.invalidVariables(operation, variables, context) ?? failedResult(error, context)
    }
  }
  return {
    ...executor,
    report: (context) => void reported.add(context),
    async execute(operation, variables, context, delivery) {
      const estimated = estimate(operation, variables, context)
      if (typeof estimated !== 'number') return estimated
      const refusal = await turn(estimated, context)
      if (refusal !== undefined) return refusal
      const result = await executor.execute(operation, variables, context, delivery)
      return reported.has(context) ? { ...result, extensions: { ...result.extensions, cost: { estimated, max } } } : result
    },
    async subscribe(operation, variables, context) {
      const estimated = estimate(operation, variables, context)
      return typeof estimated === 'number' ? executor.subscribe(operation, variables, context) : estimated
    },
  }
}

const tooExpensive = (estimated: number, max: number): GraphQLError =>
  new GraphQLError(
    `The estimated cost is ${estimated}, the limit ${max}: request shorter lists, fewer fields or fewer costly fields (@cost)`,
    {
      extensions: { code: 'LIMIT_EXCEEDED', cost: { estimated, max } },
    },
  )
