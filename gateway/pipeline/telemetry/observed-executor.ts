import { context as active } from '@opentelemetry/api'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { placeOf } from '../../errors/masked-error.ts'
import { type DeferredPart, mappedParts } from '../../execution/incremental/answer.ts'
import type { Executor } from '../../executor/executor.ts'
import type { PreparedOperation } from '../../operation/prepared-operation.ts'
import type { GatewayTelemetry } from './gateway-telemetry.ts'
import type { OperationRecord } from './operation-record.ts'

/**
 * Wraps an executor to record operations; errors of traced operations contain the trace id. @param isRegistered - whether an operation is in a
 * manifest and has a label of its own in metrics
 */
export function observedExecutor<Observed extends Executor>(
  executor: Observed,
  telemetry: GatewayTelemetry,
  isRegistered: (operation: PreparedOperation) => boolean = () => false,
): Observed {
  return {
    ...executor,
    async execute(operation, variables, context, delivery) {
      const record = telemetry.begin(operation, context, () => isRegistered(operation))
      const result = await within(record, () => executor.execute(operation, variables, context, delivery))
      const { later } = result
      if (later === undefined) {
        telemetry.end(record, result, context)
        return withTraceId(result, record.traceId)
      }
      const failed = result.errors === undefined ? [] : [result]
      const traced = (part: DeferredPart): DeferredPart => {
        if (part.errors !== undefined) failed.push(part)
        return withTraceId(part, record.traceId)
      }
      const parts = mappedParts(later, traced, () => telemetry.end(record, failed[0] ?? result, context))
      return withTraceId({ ...result, later: { ...later, parts } }, record.traceId)
    },
    async subscribe(operation, variables, context) {
      const record = telemetry.begin(operation, context, () => isRegistered(operation))
      const started = await within(record, () => executor.subscribe(operation, variables, context))
      // only a stream has `moveTo`; any other result is a refusal
      const refusal = 'moveTo' in started ? {} : started
      telemetry.end(record, refusal, context)
      return 'moveTo' in started ? started : withTraceId(started, record.traceId)
    },
  }
}

/** Runs a call with the span of the operation as the active span. */
const within = <Result>({ trace }: OperationRecord, call: () => Promise<Result>): Promise<Result> =>
  trace === undefined ? call() : active.with(trace.context, call)

function withTraceId<Result extends ExecutionResult>(result: Result, traceId: string | undefined): Result {
  const { errors } = result
  if (errors === undefined || traceId === undefined) return result
  const traced = (error: GraphQLError): GraphQLError =>
    new GraphQLError(error.message, { ...placeOf(error), extensions: { ...error.extensions, traceId } })
  return { ...result, errors: errors.map(traced) }
}
