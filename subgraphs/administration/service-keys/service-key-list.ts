import type { KeyChangeHook, NewServiceKey } from '../../../engines/identity/service-keys/service-keys.ts'
import type { ServiceScope } from '../../../foundation/principal.ts'

/** A service key without its secret. */
export interface ListedServiceKey {
  readonly id: string
  readonly name: string
  /** scopes that the platform defines */
  readonly scopes: readonly ServiceScope[]
  readonly source: 'database' | 'settings'
  /** null for a key from the settings */
  readonly createdAt: Date | null
  /** null when the key has no expiry */
  readonly endsAt: Date | null
  /** to the minute; null for a key from the settings and one that was never used */
  readonly lastUsedAt: Date | null
}

/** Service keys of all sources; those of the database can be changed. */
export interface ServiceKeyList {
  /** Returns the keys of the database, newest first and including expired ones, then those of the settings. @throws {EngineUnavailable} */
  list(): Promise<readonly ListedServiceKey[]>
  /** Returns whether a name has a key in the settings. */
  isConfigured(name: string): boolean
  /** @throws {Fault} CONFLICT if the name has a key */
  create(name: string, scopes: readonly ServiceScope[], within: KeyChangeHook): Promise<NewServiceKey>
  /** @throws {NotFound} */
  rotate(name: string, overlapHours: number, within: KeyChangeHook): Promise<NewServiceKey>
  /** @throws {NotFound} */
  revoke(name: string, within: KeyChangeHook): Promise<void>
}
