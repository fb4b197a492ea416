import type { Fault } from '../../foundation/fault.ts'
import type { Transaction } from '../relational/database.ts'

/**
 * `submission`: images and declared data; `result`: findings, until acknowledged; `review`: submission and findings for reviewers, until their
 * decision; `notes`: reviewers' notes
 */
export type VaultRecord = 'submission' | 'result' | 'review' | 'notes'

export interface VaultEntry {
  readonly jobId: string
  readonly record: VaultRecord
  /** content in parts, encrypted as one */
  readonly content: readonly Uint8Array[]
}

/** An encrypted entry, already on disk if it is a file, that no job refers to until a transaction commits. */
export interface SealedEntry extends Omit<VaultEntry, 'content'> {
  readonly keyId: string
  readonly wrappedKey: Buffer
  /** encrypted content in parts, or the name of its file */
  readonly sealed: readonly Uint8Array[] | string
}

/** Stores the secret parts of a job, encrypted, until the transaction that ends their use erases them. */
export interface ImageVault {
  /** Does the slow work before a transaction. Entries that no transaction stores are deleted by `sweep`. @throws {EngineUnavailable} */
  prepare(entries: readonly VaultEntry[]): Promise<readonly SealedEntry[]>
  /**
   * Stores all entries with the transaction. @throws {QueryRefused} if a job has such a record already
   * @throws {EngineUnavailable}
   */
  keep(tx: Transaction, sealed: readonly SealedEntry[]): Promise<void>
  /** Combines `prepare` and `keep`. */
  seal(tx: Transaction, entries: readonly VaultEntry[]): Promise<void>
  /**
   * @returns contents by job id, without erased ones
   * @throws {EngineUnavailable}
   * @throws {Fault} INTERNAL, naming the job, if a record was modified or encrypted with another key
   */
  open(jobIds: readonly string[], record: VaultRecord, signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * As `open`, for lists: a record that cannot be read has a Fault (INTERNAL) in place of its content. @throws {EngineUnavailable}
   */
  openEach(jobIds: readonly string[], record: VaultRecord, signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array | Fault>>
  /**
   * Wraps the data keys of at most `limit` records of earlier VAULT_KEYs with the current one; contents stay unchanged. @returns the number of
   * records
   */
  rewrap(limit: number): Promise<number>
  /** Returns keys for digests that must not be guessable, 32 bytes each, the current one first. They change with VAULT_KEY. */
  derivedKeys(purpose: string): readonly [Uint8Array, ...Uint8Array[]]
  /** Deletes files of transactions that did not commit and of terminated processes. @returns the number of files */
  sweep(signal: AbortSignal): Promise<number>
  /** @param record - default: all records */
  erase(tx: Transaction, jobIds: readonly string[], record?: VaultRecord): Promise<void>
}
