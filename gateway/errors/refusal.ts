import { GraphQLError } from 'graphql'
import { Fault, type FaultCode } from '../../foundation/fault.ts'
import { isFaultCode } from '../http/fault-status.ts'

/** Why a caller is refused, in the words of no protocol. */
export interface Refusal {
  readonly code: FaultCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * The refusal in whatever was thrown, be it a fault or an error of an operation with the code of one. Every protocol begins here and adds
 * its own form: GraphQL over HTTP and a subgraph's server (graphql-http/, sources/), REST (rest-adapters/response/); the status of all of
 * them is in http/fault-status.ts.
 * @returns undefined for what is no refusal but a bug
 */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Fault) return thrown
  if (!(thrown instanceof GraphQLError)) return undefined
  const { code, ...details } = thrown.extensions
  return isFaultCode(code) ? { code, message: thrown.message, details } : undefined
}
