import { createHmac } from 'node:crypto'
import type { AnalyticsStore, PublicVoterAllowance, VoteValue } from '../../../engines/analytics-store/analytics-store.ts'
import type { OutboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { DeadlineExceeded, InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { requireOneOf, serviceWith, userWith } from '../../../foundation/graphql/authorisation.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { isUuid } from '../../../foundation/validation/uuid.ts'
import { required, tooLong, tooShort } from '../../../foundation/validation/violation.ts'

const votingService = serviceWith('votes:write')
export const voters = [userWith(), votingService]

const maxReferenceLength = 512

const pseudonymOf = (voter: readonly string[], key: Uint8Array): string =>
  createHmac('sha256', key)
    .update(`voter\n${JSON.stringify(voter)}`)
    .digest('hex')

/** The pseudonym under which a browser votes on one expression. @param id - of its pass */
export const voterOfPass = (id: string, expressionId: string, pseudonymKey: Uint8Array): string =>
  pseudonymOf(['pass', id, expressionId], pseudonymKey)

/**
 * Under which pseudonym somebody votes: a user under their own, or a service for whoever it names.
 * @returns HMAC in hex
 * @throws {InvalidInput} for a name that is missing, or that a user gives
 */
export function voterOf(principal: Principal, voterRef: string | null | undefined, pseudonymKey: Uint8Array): string {
  const { user, service } = principal
  if (voterRef == null) {
    if (user === undefined)
      throw new InvalidInput('`voterRef` is required: it identifies the citizen for whom the service votes', [required(['voterRef'])])
    return pseudonymOf(['user', user.issuer, user.subject], pseudonymKey)
  }
  requireOneOf(principal, [votingService])
  if (voterRef === '' || voterRef.length > maxReferenceLength)
    throw new InvalidInput(`\`voterRef\` must have 1 to ${maxReferenceLength} characters`, [
      voterRef === '' ? tooShort(['voterRef'], 1) : tooLong(['voterRef'], maxReferenceLength),
    ])
  return pseudonymOf(['service', service?.name ?? '', voterRef], pseudonymKey)
}

export interface VoteEngines {
  readonly store: Pick<AnalyticsStore, 'castVote' | 'castPublicVote'>
  /** where expressions wait that were acknowledged and are not in the store yet */
  readonly intake: Pick<OutboxQueue, 'holds'>
}

const lookEveryMs = 50
/** Before the end of its time a request is told that nothing was done: at the end itself nobody could say so any more. */
const answerMs = 500

export interface Vote {
  readonly expressionId: string
  readonly value: VoteValue
  readonly voter: string
  /** of an unverified vote: what its network may do */
  readonly allowance?: PublicVoterAllowance
}

/**
 * On an expression that was acknowledged a moment ago, too: it is waited for, since its writer may vote on what was answered.
 * @throws {Fault} RATE_LIMITED beyond the allowance
 * @throws {NotFound} for an expression that is unknown or was withdrawn   @throws {DeadlineExceeded} while it is still on its way: nothing was done
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
  // written and gone from the intake between two looks, it is found by the next
  for (let isAwaited = true; isAwaited; ) {
    if (await cast()) return
    isAwaited = isUuid(expressionId) && (await intake.holds(expressionId, deadline.signal))
    if (isAwaited && deadline.remainingMs < answerMs) throw new DeadlineExceeded('The expression is not stored yet; vote again')
    if (isAwaited) await pause(lookEveryMs, deadline.signal)
    deadline.signal.throwIfAborted()
  }
  if (!(await cast())) throw new NotFound('Expression not found')
}
