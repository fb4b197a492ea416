import { createHmac } from 'node:crypto'
import type { ModerationCases, ReportReason } from '../../../engines/analytics-store/moderation-cases.ts'
import type { AuditTrail } from '../../../engines/audit/audit-trail.ts'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import { countRequest, isLoopback, type RateLimitState } from '../../../engines/key-value/rate-limit.ts'
import { NotFound, refuseViolations } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { networkOf } from '../../../foundation/network-address.ts'
import { isStorableText } from '../../../foundation/validation/values.ts'
import { tooLong, unstorable, type Violation } from '../../../foundation/validation/violation.ts'

export const maxNoteLength = 1000

export interface ReportLimits {
  /** reports per hour and account, and per hour and client network */
  readonly perHour: number
  /** whether callers on this machine have no limit */
  readonly loopbackUnlimited: boolean
}

export interface ReportDependencies {
  readonly cases: Pick<ModerationCases, 'report'>
  /** waits for an expression that was accepted a moment ago; rejects for an unknown one */
  readonly stored: (id: string) => Promise<unknown>
  readonly audit: Pick<AuditTrail, 'record'>
  readonly keyValue: Pick<KeyValue, 'increment'>
  readonly limits: ReportLimits
  /** PSEUDONYM_KEY */
  readonly pseudonymKey: Uint8Array
}

export interface Report {
  readonly expressionId: string
  readonly reason: ReportReason
  readonly note: string | null
}

const reporterOf = (reader: readonly string[], key: Uint8Array): string =>
  createHmac('sha256', key)
    .update(`reporter\n${JSON.stringify(reader)}`)
    .digest('hex')

/** Returns the pseudonym of a reader with an account, an HMAC in hex. */
export const reporterOfUser = (issuer: string, subject: string, pseudonymKey: Uint8Array): string =>
  reporterOf(['user', issuer, subject], pseudonymKey)

/**
 * Reports an expression for moderation, once per reader: an account or, without signing in, a client network.
 * @returns `isNew`: false if this reader has reported it before
 * @throws {Fault} RATE_LIMITED; CONFLICT for a withdrawn expression  @throws {NotFound} for an unknown one
 */
export async function reportExpression(
  { cases, stored, audit, keyValue, limits, pseudonymKey }: ReportDependencies,
  { expressionId, reason, note }: Report,
  context: RequestContext,
): Promise<{ readonly isNew: boolean; readonly rateLimit: RateLimitState | null }> {
  refuseViolations(noteViolations(note))
  const {
    principal: { user },
    address = 'unknown',
  } = context
  const policy = { name: 'reports', quota: limits.perHour, seconds: 3600 }
  const refusal = 'Too many reports; try again later'
  const isUnlimited = limits.loopbackUnlimited && isLoopback(address)
  const rateLimit = isUnlimited ? null : await countRequest(keyValue, { prefix: 'report', policy, refusal }, address)
  const reporter =
    user === undefined ? reporterOf(['network', networkOf(address)], pseudonymKey) : reporterOfUser(user.issuer, user.subject, pseudonymKey)
  if (user !== undefined) await countRequest(keyValue, { prefix: 'report-account', policy, refusal }, reporter)
  const report = (): Promise<boolean> =>
    cases.report(
      { expressionId, reporter, reason, note: note?.trim() || null },
      {
        window: context.deadline,
        within: (tx) =>
          audit.record(context, [{ action: 'expression.report', outcome: 'done', target: expressionId, details: { reason } }], tx),
      },
    )
  const isNew = await report().catch(async (error: unknown) => {
    if (!(error instanceof NotFound)) throw error
    await stored(expressionId)
    return report()
  })
  return { isNew, rateLimit }
}

/** Returns the violations of a note that is too long or cannot be stored. */
export function noteViolations(note: string | null | undefined): readonly Violation[] {
  if (note == null) return []
  return [
    ...(note.length > maxNoteLength ? [tooLong(['note'], maxNoteLength)] : []),
    ...(isStorableText(note) ? [] : [unstorable(['note'])]),
  ]
}
