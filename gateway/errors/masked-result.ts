import type { ExecutionResult, GraphQLError } from 'graphql'
import { graphqlErrorOf, type MaskingContext, maskedError } from './masked-error.ts'

/** A document that cannot be executed: what graphql-js found, without the values in it. */
export class InvalidOperation extends Error {
  readonly errors: readonly GraphQLError[]
  constructor(errors: readonly GraphQLError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.name = 'InvalidOperation'
    this.errors = errors
  }
}

/** The result of an operation that failed as a whole. */
export function failedResult(thrown: unknown, context: MaskingContext): { readonly errors: readonly GraphQLError[] } {
  const errors = thrown instanceof InvalidOperation ? thrown.errors : [graphqlErrorOf(thrown)]
  return { errors: errors.map((error) => maskedError(error, context)) }
}

/** A result as its caller may know it; the whole of its errors is in the log. */
export function maskedResult(result: ExecutionResult, context: MaskingContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => maskedError(error, context)) }
}
