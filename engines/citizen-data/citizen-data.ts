import type { Transaction } from '../relational/database.ts'

/** A voter: a citizen named by a service, or a user of an issuer. */
export type VoterReference = { readonly service: string; readonly voterRef: string } | { readonly issuer: string; readonly subject: string }

/** The references by which components find the data of a citizen. */
export interface CitizenReferences {
  readonly code: string
  /** `authorRef`s that services sent with expressions; no citizen codes */
  readonly authorRefs: readonly string[]
  readonly voters: readonly VoterReference[]
}

export type CitizenDataComponent = 'verification' | 'delegations' | 'expressions' | 'votes' | 'audit'

/** Data that an erasure removes. */
export const erasableKinds = [
  'verifications',
  'face_templates',
  'challenges',
  'delegations',
  'registrations',
  'scenarios',
  'messages',
  'expressions',
  'reports',
  'votes',
] as const
export type ErasableKind = (typeof erasableKinds)[number]

/** Data that remains after an erasure. */
export type RemainingKind =
  | 'pseudonymous_delegations'
  | 'unverified_expressions'
  | 'unverified_votes'
  | 'withdrawn_ids'
  | 'unreferenced_data'
  | 'audit_records'
  | 'backups'

export interface RemainingData {
  readonly kind: RemainingKind
  /** null when it cannot be counted */
  readonly count: number | null
  /** ids of the listed objects, at most 100 */
  readonly ids: readonly string[]
}

/** A component's data about a citizen. */
export interface CitizenDataSurvey {
  /** counts of what an erasure would remove */
  readonly erasable: Readonly<Partial<Record<ErasableKind, number>>>
  readonly remaining: readonly RemainingData[]
}

/** What one transaction erased. */
export interface ErasedBatch {
  readonly counts: Readonly<Partial<Record<ErasableKind, number>>>
  /** type and id of erased objects that clients may have cached */
  readonly nodes: readonly (readonly [type: string, id: string])[]
  /** whether the component has nothing more to erase */
  readonly isLast: boolean
}

/** A line of a subject access export. */
export interface ExportedRecord {
  /** position in the export of the component; ascending */
  readonly position: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** One component's access to the data about a citizen. All methods throw EngineUnavailable while the engine is unavailable. */
export interface CitizenDataHolder {
  readonly component: CitizenDataComponent
  survey(citizen: CitizenReferences): Promise<CitizenDataSurvey>
  /**
   * Erases at most one batch. Repeating it after a crash continues.
   * @param record - called in the transaction that erases, before its commit
   */
  erase(citizen: CitizenReferences, record: (tx: Transaction, batch: ErasedBatch) => Promise<void>): Promise<void>
  /** Returns the next records after a position, at most `limit`; fewer only at the end. */
  export(citizen: CitizenReferences, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly ExportedRecord[]>
}
