import { type ExecutionResult, GraphQLError } from 'graphql'
import { OutcomeUnknown } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { placeOf } from './masked-error.ts'

/** Codes that guarantee that nothing was stored, so that the caller may repeat the request. */
const refusals = new Set<unknown>(['ENGINE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'OVERLOADED'])

/**
 * Corrects the errors of an operation that may have stored something: a later failure must not suggest that nothing was stored. Does not apply to
 * operations with several mutations, whose results are separate.
 */
export function withUnknownOutcome(result: ExecutionResult, { deadline }: Pick<RequestContext, 'deadline'>): ExecutionResult {
  const { data, errors } = result
  if (errors === undefined || !deadline.mayHaveTakenEffect) return result
  const mutations = new Set([...Object.keys(data ?? {}), ...errors.flatMap(({ path = [] }) => path.slice(0, 1))])
  const isDefinite = ({ path, extensions }: GraphQLError): boolean =>
    !refusals.has(extensions.code) || (mutations.size > 1 && path?.length === 1)
  return { ...result, errors: errors.map((error) => (isDefinite(error) ? error : outcomeUnknown(error))) }
}

function outcomeUnknown(error: GraphQLError): GraphQLError {
  const { retryAfterMs: _, ...extensions } = error.extensions
  const { message, code } = new OutcomeUnknown()
  return new GraphQLError(message, { ...placeOf(error), extensions: { ...extensions, code } })
}
