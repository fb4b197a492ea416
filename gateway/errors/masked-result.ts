import type { ExecutionResult, GraphQLError } from 'graphql'
import { graphqlErrorOf, type MaskingContext, maskedError } from './masked-error.ts'

/** A document that cannot be executed: the errors of graphql-js without values. */
export class InvalidOperation extends Error {
  readonly errors: readonly GraphQLError[]
  constructor(errors: readonly GraphQLError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.name = 'InvalidOperation'
    this.errors = errors
  }
}

/** Returns the result of an operation that failed as a whole. */
export function failedResult(thrown: unknown, context: MaskingContext): { readonly errors: readonly GraphQLError[] } {
  const errors = thrown instanceof InvalidOperation ? thrown.errors : [graphqlErrorOf(thrown)]
  return { errors: errors.map((error) => maskedError(error, context)) }
}

/** Masks the errors of a result; the originals are logged. */
export function maskedResult(result: ExecutionResult, context: MaskingContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => maskedError(error, context)) }
}
