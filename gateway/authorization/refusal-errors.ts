import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RefusedPath } from './allowed-operation.ts'

/** Where a response lists the fields that its caller may not see: in `errors`, in `extensions.authorizationErrors`, or nowhere. */
export type RefusalsIn = 'errors' | 'extensions' | 'none'

/** Error code of GraphOS Router. */
const code = 'UNAUTHORIZED_FIELD_OR_TYPE'

/** Returns one error per path that the caller may not see. */
export function refusalErrors(paths: readonly RefusedPath[], requestId: string): readonly GraphQLError[] {
  return paths.map((path) => new GraphQLError('Unauthorized field or type', { path, extensions: { code, requestId } }))
}

/** Appends the refusals to a result. */
export function withRefusals(result: ExecutionResult, refusals: readonly GraphQLError[], where: RefusalsIn): ExecutionResult {
  if (refusals.length === 0 || where === 'none') return result
  const { data, errors = [], extensions } = result
  return {
    ...(where === 'extensions' && errors.length === 0 ? {} : { errors: where === 'errors' ? [...errors, ...refusals] : errors }),
    ...(data === undefined ? {} : { data }),
    ...(where === 'extensions' ? { extensions: { ...extensions, authorizationErrors: refusals.map((each) => each.toJSON()) } } : {}),
  }
}
