import { GraphQLError } from 'graphql'
import { Fault, type FaultCode } from '../../foundation/fault.ts'
import { isFaultCode } from '../../foundation/http/fault-status.ts'

/** Why a caller is refused, independent of the protocol. */
export interface Refusal {
  readonly code: FaultCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Returns the refusal of a thrown value: a fault, or an error of an operation with its code. Protocols add their own form: GraphQL over HTTP and the
 * subgraph server (protocols/), REST (rest-adapters/response/); their statuses are in foundation/http/fault-status.ts. @returns undefined for a bug
 */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Fault) return thrown
  if (!(thrown instanceof GraphQLError)) return undefined
  const { code, ...details } = thrown.extensions
  return isFaultCode(code) ? { code, message: thrown.message, details } : undefined
}
