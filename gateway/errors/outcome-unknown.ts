import { type ExecutionResult, GraphQLError } from 'graphql'
import { OutcomeUnknown } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { placeOf } from './masked-error.ts'

/** Codes by which a caller knows that nothing was taken in: it may send the same again. */
const refusals = new Set<unknown>(['ENGINE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'OVERLOADED'])

/**
 * The result of an operation by which something may have been taken in: what failed afterwards does not say that nothing was. Of several
 * mutations in one operation each speaks for itself.
 */
export function truthful(result: ExecutionResult, { deadline }: Pick<RequestContext, 'deadline'>): ExecutionResult {
  const { data, errors } = result
  if (errors === undefined || !deadline.mayBeTakenIn) return result
  const mutations = new Set([...Object.keys(data ?? {}), ...errors.flatMap(({ path = [] }) => path.slice(0, 1))])
  const speaksForItself = ({ path, extensions }: GraphQLError): boolean =>
    !refusals.has(extensions.code) || (mutations.size > 1 && path?.length === 1)
  return { ...result, errors: errors.map((error) => (speaksForItself(error) ? error : unknownOutcome(error))) }
}

function unknownOutcome(error: GraphQLError): GraphQLError {
  const { retryAfterMs: _, ...extensions } = error.extensions
  const { message, code } = new OutcomeUnknown()
  return new GraphQLError(message, { ...placeOf(error), extensions: { ...extensions, code } })
}
