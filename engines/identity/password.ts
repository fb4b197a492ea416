import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { FairQueue, type Owner } from '../../foundation/concurrency/fair-queue.ts'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import { normalForm } from '../../foundation/text/normal-form.ts'

/** The strongest scrypt parameters of the OWASP Password Storage Cheat Sheet: 128 MB and about 0.4 s per password (RFC 7914). */
const cost = { log2N: 17, r: 8, p: 1 }
const saltBytes = 16
const hashBytes = 32

/**
 * Each takes 128 MB and one of libuv's four threads. Owners, which are client addresses, take turns; known devices come first, but do not shut
 * out all others: a right password is not counted. A turn that came later would be for a caller that has had its 503: a login ends after 8 s.
 */
const turns = new FairQueue({
  maxAtOnce: 2,
  maxAtOncePerOwner: 1,
  maxPerOwner: 16,
  maxWaiting: 512,
  maxWaitMs: 6000,
  maxPreferredInARow: 2,
})
const retryAfterMs = 2000

/** Waits for a turn. @throws {Fault} RATE_LIMITED when the owner has too many waiting   @throws {EngineUnavailable} when all owners together have, or the turn comes too late */
const inTurn = <Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> =>
  turns.run(owner, work, (reason) =>
    reason === 'owner'
      ? new Fault('RATE_LIMITED', 'Too many concurrent logins from this address; try again', { retryAfterMs })
      : new EngineUnavailable('identity service', new Error('too many passwords are being checked'), retryAfterMs),
  )

/** the owner of passwords that no client address sent: those that are set */
const platform: Owner = { name: 'platform', isPreferred: true }

/** Node runs scrypt on libuv threads, off the main thread. */
function derive(password: string, salt: Buffer, length: number, { log2N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 2 * 128 * 2 ** log2N * r }
  return new Promise((resolve, reject) => {
    // NFC: the same password may be composed differently on another keyboard (RFC 8265)
    scrypt(normalForm(password, 'NFC'), salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/**
 * @returns scrypt$17$8$1$salt$hash
 * @throws {Fault} RATE_LIMITED {EngineUnavailable} if too many passwords are being checked
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await inTurn(platform, () => derive(password, salt, hashBytes, cost))
  return ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Generates a random password of 144 bits in typeable characters. */
export const newPassword = (): string => randomBytes(18).toString('base64url')

/** The hash used for unknown accounts: no password matches, and the check takes as long as any other. */
const dummyHash = [
  'scrypt',
  cost.log2N,
  cost.r,
  cost.p,
  randomBytes(saltBytes).toString('base64url'),
  randomBytes(hashBytes).toString('base64url'),
].join('$')

/**
 * Whether the password is the one. Takes the same time for an account that does not exist (`stored` undefined) as for a wrong password.
 * @throws {EngineUnavailable} when too many passwords are being checked   @throws {Fault} RATE_LIMITED when too many of this owner are
 * @param owner - whose share of the queue it takes: the network of a client, or the account of a known device, which is preferred (default: the platform's own)
 */
export async function fitsPassword(password: string, stored: string | undefined, owner = platform): Promise<boolean> {
  const [scheme, log2N, r, p, salt = '', hash = ''] = (stored ?? dummyHash).split('$')
  if (scheme !== 'scrypt') throw new Error(`a password hash has the unknown scheme ${scheme}: set the password of the account again`)
  const expected = Buffer.from(hash, 'base64url')
  const parameters = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const actual = await inTurn(owner, () => derive(password, Buffer.from(salt, 'base64url'), expected.length, parameters))
  return timingSafeEqual(actual, expected) && stored !== undefined
}
