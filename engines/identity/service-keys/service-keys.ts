import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { Fault, NotFound } from '../../../foundation/fault.ts'
import type { ServicePrincipal } from '../../../foundation/principal.ts'
import { openRecord, rewrapped, sealRecord } from '../../image-vault/sealing.ts'
import { type VaultKeys, vaultKeys } from '../../image-vault/vault-keys.ts'
import { takeServiceKeyLock } from '../../relational/advisory-locks.ts'
import type { Database, Transaction } from '../../relational/database.ts'
import { and, bytea, desc, eq, gt, isNull, moment, ne, or, pgTable, sql, text } from '../../relational/drizzle.ts'

const serviceKey = pgTable('service_key', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  sha256: text('sha256').notNull(),
  scopes: text('scopes').array().notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  endsAt: moment('ends_at'),
  lastUsedAt: moment('last_used_at'),
})

const serviceCallbackSecret = pgTable('service_callback_secret', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  keyId: text('key_id').notNull(),
  wrappedKey: bytea('wrapped_key').notNull(),
  sealed: bytea('sealed').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  endsAt: moment('ends_at'),
})

/** The secrets of a service, shown once and unreadable afterwards. */
export interface NewServiceKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** value of X-Service-API-Key */
  readonly key: string
  /** `whsec_…`: verifies callbacks (Standard Webhooks) */
  readonly callbackSecret: string
}

export type ListedKey = Omit<typeof serviceKey.$inferSelect, 'sha256'>

const maxListed = 10_000
/** how long a process caches keys, ms */
const cacheMs = 5000
/** how long a process caches that a key is unknown, ms */
const missCacheMs = 1000
/** interval at which the use of a key is recorded, ms */
const useMs = 60_000

/** Runs in the transaction of a change; an error rolls the change back. */
export type KeyChangeHook = (tx: Transaction) => Promise<void>

const nothingMore: KeyChangeHook = async () => undefined
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const aboutOf = (id: string): string => JSON.stringify(['civigraph', 'callback secret', id])
const keyLasts = or(isNull(serviceKey.endsAt), gt(serviceKey.endsAt, sql`now()`))
const secretLasts = or(isNull(serviceCallbackSecret.endsAt), gt(serviceCallbackSecret.endsAt, sql`now()`))

/** Service keys in PostgreSQL, which can be created, rotated and revoked at run time. Only the SHA-256 of a key is stored. */
export class ServiceKeys {
  readonly #database: Database
  readonly #vault: VaultKeys
  #cached: ReadonlyMap<string, ServicePrincipal> = new Map()
  #knownSince = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  /** when this process last recorded the use of a key, by digest */
  readonly #used = new Map<string, number>()

  /** @param vaultKey - VAULT_KEY, 32 bytes; encrypts the callback secrets */
  constructor(database: Database, vaultKey: Uint8Array, previousVaultKeys: readonly Uint8Array[]) {
    this.#database = database
    this.#vault = vaultKeys(vaultKey, previousVaultKeys)
  }

  /** @throws {Fault} CONFLICT if the name has a key */
  create(name: string, scopes: readonly string[], within = nothingMore): Promise<NewServiceKey> {
    return this.#database.transaction(async (tx) => {
      await this.#alone(tx, name)
      if ((await this.#lasting(tx, name)).length > 0)
        throw new Fault('CONFLICT', `A service key with the name ${name} already exists: choose another name, or rotate that key`)
      await within(tx)
      return this.#make(tx, name, scopes)
    })
  }

  /** Creates a new key and secret; the current ones expire after `overlapHours`. @throws {NotFound} */
  rotate(name: string, overlapHours: number, within = nothingMore): Promise<NewServiceKey> {
    return this.#database.transaction(async (tx) => {
      await this.#alone(tx, name)
      const [newest] = await this.#lasting(tx, name)
      if (newest === undefined) throw new NotFound(`No service key has the name ${name}`)
      await this.#end(tx, name, overlapHours)
      await within(tx)
      return this.#make(tx, name, newest.scopes)
    })
  }

  /** Revokes the keys of a service; other processes refuse them within 5 s. @throws {NotFound} */
  async revoke(name: string, within = nothingMore): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.#alone(tx, name)
      if ((await this.#lasting(tx, name)).length === 0) throw new NotFound(`No service key has the name ${name}`)
      await this.#end(tx, name, 0)
      await within(tx)
    })
  }

  /** Returns all keys including expired ones, newest first. */
  list(): Promise<readonly ListedKey[]> {
    const { id, name, scopes, createdAt, endsAt, lastUsedAt } = serviceKey
    return this.#database.orm
      .select({ id, name, scopes, createdAt, endsAt, lastUsedAt })
      .from(serviceKey)
      .orderBy(desc(createdAt))
      .limit(maxListed)
  }

  /**
   * Returns the service of a key; undefined for a wrong key. Uses cached keys while the database is unavailable. @throws {EngineUnavailable} if no
   * keys are cached
   */
  async find(key: string): Promise<ServicePrincipal | undefined> {
    const digest = sha256(key)
    const maxAgeMs = this.#cached.has(digest) ? cacheMs : missCacheMs
    if (performance.now() - this.#knownSince > maxAgeMs) await this.#refresh()
    const service = this.#cached.get(digest)
    if (service !== undefined) this.#noteUse(digest)
    return service
  }

  /** Records the use of a key, at most once a minute. Requests do not wait for it, and it may fail. */
  #noteUse(digest: string): void {
    const now = performance.now()
    if (now - (this.#used.get(digest) ?? Number.NEGATIVE_INFINITY) < useMs) return
    this.#used.set(digest, now)
    this.#database.orm
      .update(serviceKey)
      .set({ lastUsedAt: sql`now()` })
      .where(eq(serviceKey.sha256, digest))
      .catch(() => this.#used.delete(digest))
  }

  /** Returns the secrets that sign the callbacks of a service, newest first. */
  async callbackSecrets(name: string): Promise<readonly Uint8Array[]> {
    const rows = await this.#database.orm
      .select()
      .from(serviceCallbackSecret)
      .where(and(eq(serviceCallbackSecret.name, name), secretLasts))
      .orderBy(desc(serviceCallbackSecret.createdAt))
      .limit(2)
    return rows.map((row) => openRecord(this.#vaultKeyOf(row), row, aboutOf(row.id)))
  }

  /** Encrypts callback secrets of earlier VAULT_KEYs with the current one. @returns the number changed */
  async rewrap(): Promise<number> {
    return this.#database.transaction(async (tx) => {
      const rows = await tx.select().from(serviceCallbackSecret).where(ne(serviceCallbackSecret.keyId, this.#vault.currentId)).for('update')
      for (const row of rows)
        await tx
          .update(serviceCallbackSecret)
          .set(rewrapped(this.#vaultKeyOf(row), this.#vault.current, row.wrappedKey, aboutOf(row.id)))
          .where(eq(serviceCallbackSecret.id, row.id))
      return rows.length
    })
  }

  #vaultKeyOf({ name, keyId }: { readonly name: string; readonly keyId: string }): Uint8Array {
    const key = this.#vault.byId(keyId)
    if (key === undefined)
      throw new Error(`The callback secret of ${name} was encrypted with another VAULT_KEY (${keyId}): set that key as VAULT_KEY_PREVIOUS`)
    return key
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    try {
      const rows = await this.#database.orm.select().from(serviceKey).where(keyLasts).limit(maxListed)
      this.#cached = new Map(rows.map(({ sha256: digest, name, scopes }) => [digest, { name, scopes }]))
    } catch (error) {
      if (this.#knownSince === Number.NEGATIVE_INFINITY) throw error
    }
    this.#knownSince = performance.now()
  }

  /** Serialises commands for one name. */
  async #alone(tx: Transaction, name: string): Promise<void> {
    await tx.execute(takeServiceKeyLock(name))
  }

  #lasting(tx: Transaction, name: string) {
    return tx
      .select()
      .from(serviceKey)
      .where(and(eq(serviceKey.name, name), keyLasts))
      .orderBy(desc(serviceKey.createdAt))
  }

  async #end(tx: Transaction, name: string, hours: number): Promise<void> {
    const endsAt = sql`least(ends_at, now() + make_interval(hours => ${hours}))`
    await tx
      .update(serviceKey)
      .set({ endsAt })
      .where(and(eq(serviceKey.name, name), keyLasts))
    await tx
      .update(serviceCallbackSecret)
      .set({ endsAt })
      .where(and(eq(serviceCallbackSecret.name, name), secretLasts))
  }

  async #make(tx: Transaction, name: string, scopes: readonly string[]): Promise<NewServiceKey> {
    const key = `civ_${randomBytes(32).toString('base64url')}`
    const secret = randomBytes(32)
    const id = uuid()
    await tx.insert(serviceKey).values({ id: uuid(), name, sha256: sha256(key), scopes: [...scopes] })
    await tx.insert(serviceCallbackSecret).values({ id, name, ...sealRecord(this.#vault.current, secret, aboutOf(id)) })
    return { name, scopes, key, callbackSecret: `whsec_${secret.toString('base64')}` }
  }
}
