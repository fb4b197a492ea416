import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { Executor } from '../executor.ts'
import type { GatewayTelemetry } from '../telemetry/gateway-telemetry.ts'
import { introspectedValueCost, introspectionLengths } from './introspection-cost.ts'
import { type CostRules, operationCost } from './operation-cost.ts'
import { oncePerOperation, type PreparedOperation } from './prepared-operation.ts'

/** An executor that executes only what does not cost too much. */
export interface CostLimited extends Executor {
  /** Says that the answer to this request is to tell what it was estimated to cost, in `extensions.cost`. */
  report(context: RequestContext): void
}

/**
 * The executor, but operations that may cost more than `max` are refused with LIMIT_EXCEEDED, and what they would have cost.
 * @param lists - how long they are taken to be, where the operation does not say it and where it asks for too much
 * @param telemetry - is told of every estimate
 */
export function withinCost(
  executor: Executor,
  max: number,
  lists: { readonly lengths?: CostRules['lengths'] | undefined; readonly longest?: number | undefined } = {},
  telemetry?: Pick<GatewayTelemetry, 'priced'>,
): CostLimited {
  const { schema } = executor
  const rules = {
    schema,
    directives: executor.costs,
    lengths: { ...introspectionLengths(schema), ...lists.lengths },
    longest: lists.longest ?? Number.POSITIVE_INFINITY,
  }
  const withSchema = { ...rules, introspectedValueCost: introspectedValueCost(rules) }
  const costOf = oncePerOperation((operation) => operationCost(withSchema, operation))
  const reported = new WeakSet<RequestContext>()

  /** @returns the refusal, or the estimate */
  const judged = (
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult | number => {
    try {
      const estimated = costOf(operation)(variables)
      telemetry?.priced(context, estimated)
      return estimated > max ? failedResult(tooExpensive(estimated, max), context) : estimated
    } catch (error) {
      // a length that is null where null may not be is the variable's fault
      return executor.unfitVariables(operation, variables, context) ?? failedResult(error, context)
    }
  }
  return {
    ...executor,
    report: (context) => void reported.add(context),
    async execute(operation, variables, context, delivery) {
      const estimated = judged(operation, variables, context)
      if (typeof estimated !== 'number') return estimated
      const result = await executor.execute(operation, variables, context, delivery)
      return reported.has(context) ? { ...result, extensions: { ...result.extensions, cost: { estimated, max } } } : result
    },
    async subscribe(operation, variables, context) {
      const estimated = judged(operation, variables, context)
      return typeof estimated === 'number' ? executor.subscribe(operation, variables, context) : estimated
    },
  }
}

const tooExpensive = (estimated: number, max: number): GraphQLError =>
  new GraphQLError(`The answer may have more than ${max} fields; ask for shorter lists`, {
    extensions: { code: 'LIMIT_EXCEEDED', cost: { estimated, max } },
  })
