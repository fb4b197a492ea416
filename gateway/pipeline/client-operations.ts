import { setImmediate } from 'node:timers/promises'
import { type GraphQLError, NoSchemaIntrospectionCustomRule, validate } from 'graphql'
import { loopTurns } from '../../foundation/concurrency/loop-turns.ts'
import { checkLength, checkLimits, type OperationLimits, parseWithin } from '../admission/operation-limits.ts'
import { graphqlErrorOf } from '../errors/masked-error.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import type { Executor, PreparedOperation } from '../executor/executor.ts'
import type { ReadDocument } from '../operation/prepared-operation.ts'
import { textCache } from '../operation/text-cache.ts'

/** The operations that clients (other than the built-in routes) may send: within the limits, valid, and introspection only if enabled. */
export interface ClientOperations {
  /**
   * Waits until a text that is new may be parsed and validated: one is in each turn of the event loop, and addresses take turns, so that a
   * client that sends many new documents delays the others by one at a time.
   * @param address - of the client  @throws {Overloaded} when too many wait
   */
  turn(text: string, address: string | undefined): Promise<void>
  /** @throws {InvalidOperation} with LIMIT_EXCEEDED as its only error, or with what graphql-js found */
  admit(text: string, operationName: string | undefined): PreparedOperation
}

export function clientOperations(
  executor: Pick<Executor, 'schema' | 'prepare'>,
  limits: OperationLimits,
  introspection: boolean,
): ClientOperations {
  const read: ReadDocument = (text) => {
    const document = within(limits, text)
    const errors = introspection ? [] : validate(executor.schema, document, [NoSchemaIntrospectionCustomRule])
    for (const error of errors) error.extensions.code = 'GRAPHQL_VALIDATION_FAILED'
    if (errors.length > 0) throw new InvalidOperation(errors)
    return document
  }
  const turn = loopTurns({ maxPerOwner: 100, maxWaiting: 1000, maxWaitMs: 10_000 })
  const admitted = textCache<'admitted'>(1000)
  /** turns of texts that are new */
  const reading = new Map<string, Promise<void>>()
  return {
    async turn(text, address) {
      if (admitted.has(text)) return
      const first = reading.get(text)
      if (first !== undefined) {
        await first.catch(() => undefined)
        // the first of equal texts is admitted by then, or was refused
        await setImmediate()
        if (admitted.has(text)) return
      }
      const own = turn(address)
      reading.set(text, own)
      try {
        await own
      } finally {
        if (reading.get(text) === own) reading.delete(text)
      }
    },
    admit(text, operationName) {
      const operation = executor.prepare(text, operationName, read)
      admitted.set(text, 'admitted')
      return operation
    },
  }
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
