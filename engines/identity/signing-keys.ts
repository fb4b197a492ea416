import { hkdfSync } from 'node:crypto'
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose'
import type { Clock } from '../../foundation/clock.ts'
import { advisoryLocks, takeLock } from '../relational/advisory-locks.ts'
import type { Database, Queryable } from '../relational/database.ts'
import { desc, eq, gt, lt } from '../relational/drizzle.ts'
import { identityKey } from './tables.ts'

/** NIST P-256: small tokens, supported by every client library (RFC 7518, section 3.4). */
export const signingAlgorithm = 'ES256'

const hourMs = 3_600_000
/** how long a key signs */
const usedMs = 30 * 24 * hourMs
/** how long a key is published before it signs; longer than key sets are cached */
const announcedMs = hourMs
/** how long a key is published after it last signed; longer than a token lives */
const retainedMs = 24 * hourMs

/** The signing keys of the embedded issuer, in PostgreSQL with encrypted private keys, so that all processes use the same ones. */
export class SigningKeys {
  readonly #database: Database
  readonly #clock: Clock
  readonly #sealingKey: Uint8Array
  readonly #previousSealingKeys: readonly Uint8Array[]

  /**
   * @param vaultKey - VAULT_KEY, 32 bytes; the encryption key is derived from it (RFC 5869)
   * @param previous - previous values
   */
  constructor(database: Database, vaultKey: Uint8Array, clock: Clock, previous: readonly Uint8Array[] = []) {
    this.#database = database
    this.#clock = clock
    const sealing = (key: Uint8Array): Uint8Array => new Uint8Array(hkdfSync('sha256', key, '', 'civigraph identity keys', 32))
    this.#sealingKey = sealing(vaultKey)
    this.#previousSealingKeys = previous.map(sealing)
  }

  /**
   * Creates the first key, or the next one before the newest expires; deletes expired keys. @returns the published private keys, the signing key
   * first
   */
  async current(): Promise<readonly JWK[]> {
    const now = this.#clock.now()
    await this.#database.transaction(async (tx) => {
      // one process creates a key at a time
      await tx.execute(takeLock(advisoryLocks.signingKeys))
      await tx.delete(identityKey).where(lt(identityKey.expiresAt, new Date(now)))
      const [newest] = await tx.select().from(identityKey).orderBy(desc(identityKey.activeFrom)).limit(1)
      if (newest === undefined) await this.#make(tx, now)
      else {
        const nextFrom = newest.activeFrom.getTime() + usedMs
        if (now + announcedMs >= nextFrom) await this.#make(tx, Math.max(nextFrom, now + announcedMs))
      }
    })
    const rows = await this.#database.orm
      .select()
      .from(identityKey)
      .where(gt(identityKey.expiresAt, new Date(now)))
      .orderBy(desc(identityKey.activeFrom))
    const results = await Promise.all(
      rows.map(async ({ kid, sealedKey, activeFrom }) => ({ jwk: await this.#openOrReseal(kid, sealedKey), activeFrom })),
    )
    // a key that cannot be read does not prevent the use of the others
    const opened = results.flatMap(({ jwk, activeFrom }) => (jwk === undefined ? [] : [{ jwk, activeFrom }]))
    if (opened.length === 0) throw unreadable()
    const signs = opened.find(({ activeFrom }) => activeFrom.getTime() <= now) ?? opened[0]
    return [...opened.filter((key) => key === signs), ...opened.filter((key) => key !== signs)].map(({ jwk }) => jwk)
  }

  /** Deletes all keys and creates one that signs at once. Tokens of the former keys become invalid. */
  async replace(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.execute(takeLock(advisoryLocks.signingKeys))
      await tx.delete(identityKey)
      await this.#make(tx, this.#clock.now())
    })
  }

  /** Encrypts every key with the current VAULT_KEY. @returns the number of keys @throws {Error} if no given key opens one */
  async rewrap(): Promise<number> {
    const rows = await this.#database.orm.select().from(identityKey)
    for (const { kid, sealedKey } of rows) if ((await this.#openOrReseal(kid, sealedKey)) === undefined) throw unreadable()
    return rows.length
  }

  async #make(tx: Queryable, activeFromMs: number): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
    const publicJwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    const marks = { kid, alg: signingAlgorithm, use: 'sig' }
    const sealed = await this.#seal({ ...(await exportJWK(privateKey)), ...marks })
    await tx.insert(identityKey).values({
      kid,
      publicKey: { ...publicJwk, ...marks },
      sealedKey: sealed,
      activeFrom: new Date(activeFromMs),
      expiresAt: new Date(activeFromMs + usedMs + retainedMs),
    })
  }

  #seal(key: JWK): Promise<string> {
    return new CompactEncrypt(Buffer.from(JSON.stringify(key))).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(this.#sealingKey)
  }

  /** Encrypts a key of an earlier VAULT_KEY with the current one. Returns undefined if no key opens it. */
  async #openOrReseal(kid: string, sealed: string): Promise<JWK | undefined> {
    const own = await open(sealed, this.#sealingKey)
    if (own !== undefined) return own
    for (const key of this.#previousSealingKeys) {
      const opened = await open(sealed, key)
      if (opened === undefined) continue
      await this.#database.orm
        .update(identityKey)
        .set({ sealedKey: await this.#seal(opened) })
        .where(eq(identityKey.kid, kid))
      return opened
    }
    return undefined
  }
}

const unreadable = (): Error =>
  new Error('The signing keys in the database were encrypted with another VAULT_KEY: set that key as VAULT_KEY or VAULT_KEY_PREVIOUS')

/** Returns undefined if it was encrypted with another key. */
async function open(sealed: string, sealingKey: Uint8Array): Promise<JWK | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, sealingKey)
    // written by #seal
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as JWK
  } catch {
    return undefined
  }
}

/** Returns the public keys of the embedded issuer, for verification in every process. */
export async function readPublicKeys(database: Database): Promise<JSONWebKeySet> {
  const rows = await database.orm.select({ publicKey: identityKey.publicKey }).from(identityKey)
  return { keys: rows.map((row) => row.publicKey) }
}
