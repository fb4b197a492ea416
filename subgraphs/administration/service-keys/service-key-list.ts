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
}

/** Service keys of all sources. */
export interface ServiceKeyList {
  /** Returns the keys of the database, newest first and including expired ones, then those of the settings. @throws {EngineUnavailable} */
  list(): Promise<readonly ListedServiceKey[]>
}
