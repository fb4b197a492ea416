import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { FairTurns } from '../../foundation/concurrency/fair-turns.ts'
import { EngineUnavailable, Fault } from '../../foundation/fault.ts'

/** The strongest scrypt parameters of the OWASP Password Storage Cheat Sheet: 128 MB and about 0.4 s per password (RFC 7914). */
const cost = { log2N: 17, r: 8, p: 1 }
const saltBytes = 16
const hashBytes = 32

/** Each takes 128 MB and one of libuv's four threads. Owners are client addresses and take turns. */
const turns = new FairTurns({ maxAtOnce: 2, maxPerOwner: 16, maxWaiting: 512, maxWaitMs: 20_000 })
const retryAfterMs = 2000

/**
 * @throws {Fault} RATE_LIMITED if the queue of the owner is full
 * @throws {EngineUnavailable} if the whole queue is full or the turn comes too late
 */
const inTurn = <Result>(owner: string, work: () => Promise<Result>): Promise<Result> =>
  turns.hold(owner, work, (reason) =>
    reason === 'owner'
      ? new Fault('RATE_LIMITED', 'Too many concurrent logins from this address; try again', { retryAfterMs })
      : new EngineUnavailable('identity service', new Error('too many passwords are being checked'), retryAfterMs),
  )

/** owner of hashes that no client caused */
const platform = 'platform'

/** Node runs scrypt on libuv threads, off the main thread. */
function derive(password: string, salt: Buffer, length: number, { log2N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 2 * 128 * 2 ** log2N * r }
  return new Promise((resolve, reject) => {
    // NFC: the same password may be composed differently on another keyboard (RFC 8265)
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
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
const nobodys = [
  'scrypt',
  cost.log2N,
  cost.r,
  cost.p,
  randomBytes(saltBytes).toString('base64url'),
  randomBytes(hashBytes).toString('base64url'),
].join('$')

/**
 * Whether the password matches. Takes the same time for an unknown account (`stored` undefined) as for a wrong password.
 * @param owner - whose share of the queue is used: the network of a client (default: the platform)
 * @throws {EngineUnavailable} if too many passwords are being checked
 * @throws {Fault} RATE_LIMITED if too many of this owner are being checked
 */
export async function fitsPassword(password: string, stored: string | undefined, owner = platform): Promise<boolean> {
  const [scheme, log2N, r, p, salt = '', hash = ''] = (stored ?? nobodys).split('$')
  if (scheme !== 'scrypt') throw new Error('an account has a password hash of an unknown scheme')
  const expected = Buffer.from(hash, 'base64url')
  const parameters = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const actual = await inTurn(owner, () => derive(password, Buffer.from(salt, 'base64url'), expected.length, parameters))
  return timingSafeEqual(actual, expected) && stored !== undefined
}
