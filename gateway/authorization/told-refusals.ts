import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RefusedPath } from './allowed-operation.ts'

/** Where an answer says what its caller may not see: among its errors, apart in `extensions.authorizationErrors`, or nowhere. */
export type RefusalsIn = 'errors' | 'extensions' | 'none'

/** How GraphOS Router calls it. */
const code = 'UNAUTHORIZED_FIELD_OR_TYPE'

/** One error for each place of an answer that its caller may not see. */
export function refusalErrors(paths: readonly RefusedPath[], requestId: string): readonly GraphQLError[] {
  return paths.map((path) => new GraphQLError('Unauthorized field or type', { path, extensions: { code, requestId } }))
}

/** A result that says, after its other errors, what its caller may not see. */
export function withRefusals(result: ExecutionResult, refusals: readonly GraphQLError[], where: RefusalsIn): ExecutionResult {
  if (refusals.length === 0 || where === 'none') return result
  const { data, errors = [], extensions } = result
  return {
    ...(where === 'extensions' && errors.length === 0 ? {} : { errors: where === 'errors' ? [...errors, ...refusals] : errors }),
    ...(data === undefined ? {} : { data }),
    ...(where === 'extensions' ? { extensions: { ...extensions, authorizationErrors: refusals.map((each) => each.toJSON()) } } : {}),
  }
}
