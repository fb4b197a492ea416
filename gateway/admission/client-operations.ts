import { NoSchemaIntrospectionCustomRule, validate } from 'graphql'
import { BoundedCache } from '../../subgraphs/foundation/concurrency/bounded-cache.ts'
import { graphqlErrorOf } from '../errors.ts'
import { type Executor, InvalidOperation, type PreparedOperation } from '../executor.ts'
import { checkLimits, type OperationLimits, parseWithin } from './operation-limits.ts'

/** The operations that clients (other than our own routes) may send: within the limits, valid, introspecting only if that is on. */
export interface ClientOperations {
  /** undefined unless this text has been admitted before, under this name */
  known(text: string, operationName: string | undefined): PreparedOperation | undefined
  /** @throws {InvalidOperation} with LIMIT_EXCEEDED as its only error, or with what graphql-js found */
  admit(text: string, operationName: string | undefined): PreparedOperation
}

export function clientOperations(executor: Executor, limits: OperationLimits, introspection: boolean): ClientOperations {
  const admitted = new BoundedCache<Map<string | undefined, PreparedOperation>>(1000)
  return {
    known: (text, operationName) => admitted.get(text)?.get(operationName),
    admit(text, operationName) {
      const names = admitted.get(text)
      const known = names?.get(operationName)
      if (known !== undefined) return known
      if (names === undefined) check(executor, text, limits, introspection)
      const operation = executor.prepare(text, operationName)
      if (names === undefined) admitted.set(text, new Map([[operationName, operation]]))
      else names.set(operationName, operation)
      return operation
    },
  }
}

function check(executor: Executor, text: string, limits: OperationLimits, introspection: boolean): void {
  let document: ReturnType<typeof parseWithin>
  try {
    document = parseWithin(text, limits)
    checkLimits(document, limits)
  } catch (error) {
    const problem = graphqlErrorOf(error)
    if (problem.extensions.code === 'LIMIT_EXCEEDED') throw new InvalidOperation([problem])
    // No document at all: `prepare` says so in its own words.
    return
  }
  if (introspection) return
  const errors = validate(executor.schema, document, [NoSchemaIntrospectionCustomRule])
  for (const error of errors) error.extensions.code = 'GRAPHQL_VALIDATION_FAILED'
  if (errors.length > 0) throw new InvalidOperation(errors)
}
