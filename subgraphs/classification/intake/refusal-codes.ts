import { Fault, type FaultCode } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'

/** Codes of a refusal of one expression; any other failure concerns the whole request. */
export const ingestRefusalCodes = [
  'BAD_USER_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'ENGINE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'OUTCOME_UNKNOWN',
] as const satisfies readonly FaultCode[]
export type IngestRefusalCode = (typeof ingestRefusalCodes)[number]

/** The refusal of an expression, with the violated rules by member. */
export interface ExpressionRefusal {
  readonly code: IngestRefusalCode
  readonly message: string
  readonly entries: readonly Violation[]
}

/** @returns undefined for an error that does not concern one expression */
export function refusalOf(error: unknown): ExpressionRefusal | undefined {
  if (!(error instanceof Fault)) return undefined
  const code = ingestRefusalCodes.find((each) => each === error.code)
  return code && { code, message: error.message, entries: error.details.entries ?? [] }
}
