import type { KeyValue } from '../../engines/key-value/key-value.ts'
import { countRequest, isLoopback } from '../../engines/key-value/rate-limit.ts'
import { Forbidden } from '../../foundation/fault.ts'
import { voterOfPass } from './cast-vote.ts'
import { idOfPass, newVoterPass } from './voter-pass.ts'

export interface PublicVotingLimits {
  readonly isOn: boolean
  /** votes a minute and address */
  readonly perMinute: number
  /** whether callers on this machine are unlimited */
  readonly loopbackUnlimited: boolean
}

export interface PublicVoting {
  readonly limits: PublicVotingLimits
  readonly keyValue: Pick<KeyValue, 'increment'>
  readonly pseudonymKey: Uint8Array
}

const refusal = 'Too many votes from this address; try again'

/**
 * Who votes from a browser in which nobody has signed in.
 * @param given - the pass of an earlier vote; without one it gets its first
 * @throws {Forbidden} where that is off   @throws {Fault} RATE_LIMITED   @throws {InvalidInput} for a pass that was not given here
 */
export async function voterInBrowser(
  { limits, keyValue, pseudonymKey }: PublicVoting,
  given: string | null | undefined,
  address: string | undefined,
): Promise<{ readonly voter: string; readonly pass: string }> {
  if (!limits.isOn) throw new Forbidden('Votes need somebody who has signed in')
  const pass = given ?? newVoterPass(pseudonymKey)
  const voter = voterOfPass(idOfPass(pass, pseudonymKey), pseudonymKey)
  const policy = { name: 'votes', quota: limits.perMinute, seconds: 60 }
  if (address !== undefined && !(limits.loopbackUnlimited && isLoopback(address)))
    await countRequest(keyValue, { prefix: 'vote', policy, refusal }, address)
  return { voter, pass }
}
