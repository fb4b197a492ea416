import { createHmac } from 'node:crypto'
import type { AnalyticsStore, VoteValue } from '../../engines/analytics-store/analytics-store.ts'
import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { InvalidInput, NotFound } from '../../foundation/fault.ts'
import { requireOneOf, serviceWith, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'

const votingService = serviceWith('votes:write')
export const voters = [userWith(), votingService]

const maxReferenceLength = 512

/**
 * Under which pseudonym somebody votes: a user under their own, or a service for whoever it names.
 * @returns HMAC in hex
 * @throws {InvalidInput} for a name that is missing, or that a user gives
 */
export function voterOf(principal: Principal, voterRef: string | null | undefined, pseudonymKey: Uint8Array): string {
  const { user, service } = principal
  const pseudonym = (...parts: readonly string[]): string =>
    createHmac('sha256', pseudonymKey)
      .update(`voter\n${JSON.stringify(parts)}`)
      .digest('hex')
  if (voterRef == null) {
    if (user === undefined) throw new InvalidInput('`voterRef` must say for whom the service votes')
    return pseudonym('user', user.issuer, user.subject)
  }
  requireOneOf(principal, [votingService])
  if (voterRef === '' || voterRef.length > maxReferenceLength)
    throw new InvalidInput(`\`voterRef\` must have 1 to ${maxReferenceLength} characters`)
  return pseudonym('service', service?.name ?? '', voterRef)
}

/** @throws {NotFound} for an expression that is unknown or was withdrawn */
export async function castVote(
  store: Pick<AnalyticsStore, 'castVote'>,
  vote: { readonly expressionId: string; readonly value: VoteValue; readonly voter: string },
  window?: CommitWindow,
): Promise<void> {
  if (!(await store.castVote(vote.expressionId, vote.voter, vote.value, window))) throw new NotFound('There is no such expression')
}
