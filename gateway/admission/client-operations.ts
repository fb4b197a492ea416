import { type GraphQLError, NoSchemaIntrospectionCustomRule, validate } from 'graphql'
import { graphqlErrorOf } from '../errors/masked-error.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import type { Executor, PreparedOperation } from '../executor.ts'
import { checkLength, checkLimits, type OperationLimits, parseWithin } from './operation-limits.ts'
import type { ReadDocument } from './prepared-operation.ts'

/** The operations that clients (other than the built-in routes) may send: within the limits, valid, and introspection only if enabled. */
export interface ClientOperations {
  /** @throws {InvalidOperation} with LIMIT_EXCEEDED as its only error, or with the validation errors of graphql-js */
  admit(text: string, operationName: string | undefined): PreparedOperation
}

export function clientOperations(executor: Executor, limits: OperationLimits, introspection: boolean): ClientOperations {
  const read: ReadDocument = (text) => {
    const document = within(limits, text)
    const errors = introspection ? [] : validate(executor.schema, document, [NoSchemaIntrospectionCustomRule])
    for (const error of errors) error.extensions.code = 'GRAPHQL_VALIDATION_FAILED'
    if (errors.length > 0) throw new InvalidOperation(errors)
    return document
  }
  return { admit: (text, operationName) => executor.prepare(text, operationName, read) }
}

function within(limits: OperationLimits, text: string): ReturnType<ReadDocument> {
  try {
    checkLength(text, limits)
    const document = parseWithin(text, limits)
    checkLimits(document, limits)
    return document
  } catch (error) {
    const problem: GraphQLError = graphqlErrorOf(error)
    throw problem.extensions.code === 'LIMIT_EXCEEDED' ? new InvalidOperation([problem]) : error
  }
}
