import type { ServiceScope } from '../../../foundation/principal.ts'

/** What is known of a key of a service; never the key itself. */
export interface KnownKey {
  readonly id: string
  readonly name: string
  /** those that this platform knows */
  readonly scopes: readonly ServiceScope[]
  readonly source: 'database' | 'settings'
  /** null for one of the settings, which do not tell */
  readonly createdAt: Date | null
  /** null: not by itself */
  readonly endsAt: Date | null
}

/** The keys of services, wherever they are kept. */
export interface ServiceKeyList {
  /** Those of the database, the newest first, also those that have ended; then those of the settings.   @throws {EngineUnavailable} */
  list(): Promise<readonly KnownKey[]>
}
