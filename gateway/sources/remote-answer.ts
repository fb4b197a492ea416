import { type ExecutionResult, GraphQLError } from 'graphql'
import { codeOf, DeadlineExceeded, EngineUnavailable, Fault } from '../../foundation/fault.ts'

/** @returns an error with a code; its origin is only in its cause, for the log */
export function failure(name: string, error: unknown, signal: AbortSignal): GraphQLError {
  const fault = faultOf(name, error, signal)
  return new GraphQLError(fault.message, { originalError: fault })
}

/** Returns the fault of a failed request to a remote subgraph. */
export function faultOf(name: string, error: unknown, signal: AbortSignal): Fault {
  const reason: unknown = signal.aborted ? signal.reason : error
  if (reason instanceof Fault) return reason
  return ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(error))
    ? new DeadlineExceeded(undefined, error)
    : new EngineUnavailable(name, error)
}

/** Parses a subgraph response; undefined if it is not a GraphQL result. `errors` may be null or empty. */
export function resultOf(sent: unknown): ExecutionResult | undefined {
  if (!isResult(sent)) return undefined
  const { errors, ...rest } = sent
  if (Array.isArray(errors) && errors.length > 0) return sent
  return 'data' in rest ? rest : undefined
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value)
}
