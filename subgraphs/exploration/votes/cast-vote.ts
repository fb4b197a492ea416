import { createHmac } from 'node:crypto'
import type { AnalyticsStore, PublicVoterAllowance, VoteValue } from '../../../engines/analytics-store/analytics-store.ts'
import type { OutboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { DeadlineExceeded, InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { requireOneOf, serviceWith, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { required, tooLong, tooShort } from '../../../foundation/validation/violation.ts'

const votingService = serviceWith('votes:write')
export const voters = [userWith(), votingService]

const maxReferenceLength = 512

const pseudonymOf = (voter: readonly string[], key: Uint8Array): string =>
  createHmac('sha256', key)
    .update(`voter\n${JSON.stringify(voter)}`)
    .digest('hex')

/** Returns the pseudonym of a signed-in user, an HMAC in hex. */
export const pseudonymOfUser = (issuer: string, subject: string, pseudonymKey: Uint8Array): string =>
  pseudonymOf(['user', issuer, subject], pseudonymKey)

/** Returns the pseudonym of a citizen whom a service names, an HMAC in hex. */
export const pseudonymOfService = (service: string, voterRef: string, pseudonymKey: Uint8Array): string =>
  pseudonymOf(['service', service, voterRef], pseudonymKey)

/** Returns the pseudonym of a browser for one expression. @param id - id of its pass */
export const voterOfPass = (id: string, expressionId: string, pseudonymKey: Uint8Array): string =>
  pseudonymOf(['pass', id, expressionId], pseudonymKey)

/**
 * Returns the pseudonym of a voter: that of the user, or of the citizen whom a service names.
 * @returns HMAC in hex
 * @throws {InvalidInput} for a missing name, or a name that a user supplies
 */
export function voterOf(principal: Principal, voterRef: string | null | undefined, pseudonymKey: Uint8Array): string {
  const { user, service } = principal
  if (voterRef == null) {
    if (user === undefined)
      throw new InvalidInput('`voterRef` is required: it identifies the citizen for whom the service votes', [required(['voterRef'])])
    return pseudonymOfUser(user.issuer, user.subject, pseudonymKey)
  }
  requireOneOf(principal, [votingService])
  if (voterRef === '' || voterRef.length > maxReferenceLength)
    throw new InvalidInput(`\`voterRef\` must have 1 to ${maxReferenceLength} characters`, [
      voterRef === '' ? tooShort(['voterRef'], 1) : tooLong(['voterRef'], maxReferenceLength),
    ])
  return pseudonymOfService(service?.name ?? '', voterRef, pseudonymKey)
}

export interface VoteEngines {
  readonly store: Pick<AnalyticsStore, 'castVote' | 'castPublicVote'>
  /** the queue of accepted expressions that are not stored yet */
  readonly intake: Pick<OutboxQueue, 'holds'>
}

const checkEveryMs = 50
/** reserve for the response: the request is refused before its time limit, while it is certain that nothing was done */
const answerMs = 500

export interface Vote {
  readonly expressionId: string
  readonly value: VoteValue
  readonly voter: string
  /** for an unverified vote: the allowance of its network */
  readonly allowance?: PublicVoterAllowance
}

/**
 * Casts a vote. Waits for an expression that was accepted but is not stored yet.
 * @throws {Fault} RATE_LIMITED beyond the allowance
 * @throws {NotFound} for an unknown or withdrawn expression  @throws {DeadlineExceeded} while it is not stored: nothing was done
 */
export async function castVote(
  { store, intake }: VoteEngines,
  { expressionId, value, voter, allowance }: Vote,
  deadline: Deadline,
): Promise<void> {
  const cast = (): Promise<boolean> =>
    allowance === undefined
      ? store.castVote(expressionId, voter, value, deadline)
      : store.castPublicVote(expressionId, voter, value, allowance, deadline)
  // an expression that leaves the intake between two lookups is found by the next one
  for (let isAwaited = true; isAwaited; ) {
    if (await cast()) return
    isAwaited = isUuid(expressionId) && (await intake.holds(expressionId, deadline.signal))
    if (isAwaited && deadline.remainingMs < answerMs) throw new DeadlineExceeded('The expression is not stored yet; vote again')
    if (isAwaited) await pause(checkEveryMs, deadline.signal)
    deadline.signal.throwIfAborted()
  }
  if (!(await cast())) throw new NotFound('Expression not found')
}
