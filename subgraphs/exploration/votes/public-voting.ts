import { createHmac } from 'node:crypto'
import type { PublicVoterAllowance } from '../../../engines/analytics-store/analytics-store.ts'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import { countRequest, isLoopback } from '../../../engines/key-value/rate-limit.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { Forbidden } from '../../../foundation/fault.ts'
import { networkOf } from '../../../foundation/network-address.ts'
import { voterOfPass } from './cast-vote.ts'
import { issuePass, readPass, type VoterPass } from './voter-pass.ts'

export interface PublicVotingLimits {
  readonly isOn: boolean
  /** votes per minute and network, including changes */
  readonly perMinute: number
  /** new voters per day and network on one expression */
  readonly votersPerExpression: number
  /** new voters per day and network on all expressions */
  readonly votersPerDay: number
  /** whether callers on this machine have no rate limit; the other limits apply */
  readonly loopbackUnlimited: boolean
}

export interface PublicVoting {
  readonly limits: PublicVotingLimits
  readonly keyValue: Pick<KeyValue, 'increment'>
  readonly pseudonymKey: Uint8Array
  readonly clock: Clock
}

/** A voter without an identity, and the allowance of its network. */
export interface PublicVoter {
  readonly voter: string
  readonly pass: VoterPass
  readonly allowance: PublicVoterAllowance
}

interface SubmittedPass {
  readonly expressionId: string
  /** as the client sent it */
  readonly pass?: string | null | undefined
  /** name of that member in the input, for errors */
  readonly passMember?: string
}

const refusal = 'Too many votes from this network; try again'

/**
 * Identifies the voter of a browser without a signed-in user: by the pass of its vote on this expression, or as a new voter.
 * @param address - undefined when unknown; such callers share one allowance
 * @throws {Forbidden} when public voting is off  @throws {Fault} RATE_LIMITED
 * @throws {InvalidInput} for a pass of another expression or network, and for an expired one
 */
export async function publicVoter(
  { limits, keyValue, pseudonymKey, clock }: PublicVoting,
  { pass: submitted, passMember = 'voterToken', expressionId: voted }: SubmittedPass,
  address = 'unknown',
): Promise<PublicVoter> {
  if (!limits.isOn) throw new Forbidden('Voting without signing in is off on this platform; sign in to vote')
  const now = clock.now()
  const expressionId = voted.toLowerCase()
  const scope = { expressionId, network: networkOf(address) }
  const pass = submitted == null ? issuePass(scope, pseudonymKey, now) : readPass(submitted, scope, pseudonymKey, now, passMember)
  const policy = { name: 'votes', quota: limits.perMinute, seconds: 60 }
  if (!(limits.loopbackUnlimited && isLoopback(address))) await countRequest(keyValue, { prefix: 'vote', policy, refusal }, address)
  const day = new Date(now).toISOString().slice(0, 10)
  const allowance = {
    day,
    address: createHmac('sha256', pseudonymKey)
      .update(`voter network\n${JSON.stringify([day, scope.network])}`)
      .digest('hex'),
    perExpression: limits.votersPerExpression,
    perDay: limits.votersPerDay,
  }
  return { voter: voterOfPass(pass.id, expressionId, pseudonymKey), pass, allowance }
}
