import type { Transaction } from '../relational/database.ts'

/**
 * `submission`: the images and what was declared; `result`: what was found, until it is acknowledged; `review`: the same for a person who is to
 * decide, until they have; `notes`: what people wrote about their decision
 */
export type VaultRecord = 'submission' | 'result' | 'review' | 'notes'

export interface VaultEntry {
  readonly jobId: string
  readonly record: VaultRecord
  /** the bytes, in parts that are sealed as one */
  readonly content: readonly Uint8Array[]
}

/** An entry that is sealed, and on the disk already where it is a file, and belongs to no job until a transaction says so. */
export interface SealedEntry extends Omit<VaultEntry, 'content'> {
  readonly keyId: string
  readonly wrappedKey: Buffer
  /** the sealed bytes, in parts, or the name of the file that they are in */
  readonly sealed: readonly Uint8Array[] | string
}

/** Keeps what a job must keep secret, sealed at rest, until the transaction that ends its use erases it. */
export interface ImageVault {
  /** Does before a transaction what takes long. What no transaction keeps is removed by the sweep. @throws {EngineUnavailable} */
  prepare(entries: readonly VaultEntry[]): Promise<readonly SealedEntry[]>
  /** All or none, with the transaction. @throws {QueryRefused} when a job has such a record already  @throws {EngineUnavailable} */
  keep(tx: Transaction, sealed: readonly SealedEntry[]): Promise<void>
  /** `prepare` and `keep`. */
  seal(tx: Transaction, entries: readonly VaultEntry[]): Promise<void>
  /**
   * @returns by job id; erased ones are missing
   * @throws {EngineUnavailable}
   * @throws {Fault} INTERNAL, naming the job, when a record was changed or another key sealed it
   */
  open(jobIds: readonly string[], record: VaultRecord, signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Seals the data keys of at most `limit` records anew that an earlier VAULT_KEY sealed; the contents stay as they are.
   * @returns how many
   */
  rewrap(limit: number): Promise<number>
  /** Keys for digests that must not be tried out by others, 32 bytes each, the present one first. They change with VAULT_KEY. */
  derivedKeys(purpose: string): readonly [Uint8Array, ...Uint8Array[]]
  /** Removes what transactions that never committed, or processes that died, left outside the database. @returns how many files */
  sweep(signal: AbortSignal): Promise<number>
  /** @param record - both when left out */
  erase(tx: Transaction, jobIds: readonly string[], record?: VaultRecord): Promise<void>
}
