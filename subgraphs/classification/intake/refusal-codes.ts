import { Fault, type FaultCode } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'

/** What becomes of one expression beside others. Whatever else goes wrong is about all of them. */
export const ingestRefusalCodes = [
  'BAD_USER_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'ENGINE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly FaultCode[]
export type IngestRefusalCode = (typeof ingestRefusalCodes)[number]

/** Why an expression was not taken in; a broken rule in the members that break it. */
export interface ExpressionRefusal {
  readonly code: IngestRefusalCode
  readonly message: string
  readonly entries: readonly Violation[]
}

/** @returns undefined for what is not about one expression */
export function refusalOf(error: unknown): ExpressionRefusal | undefined {
  if (!(error instanceof Fault)) return undefined
  const code = ingestRefusalCodes.find((each) => each === error.code)
  return code && { code, message: error.message, entries: error.details.entries ?? [] }
}
