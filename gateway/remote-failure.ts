import { GraphQLError } from 'graphql'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../subgraphs/foundation/fault.ts'

/** @returns an error with a code; where it came from is only in its cause, for the log */
export function failure(name: string, error: unknown, signal: AbortSignal): GraphQLError {
  const reason: unknown = signal.aborted ? signal.reason : error
  const fault =
    reason instanceof Fault
      ? reason
      : ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(error))
        ? new DeadlineExceeded(undefined, error)
        : new EngineUnavailable(name, error)
  return new GraphQLError(fault.message, { originalError: fault })
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
