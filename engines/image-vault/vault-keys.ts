import { hkdfSync } from 'node:crypto'
import { keyIdOf } from '../../foundation/key-id.ts'

/** The current and previous values of VAULT_KEY; records of previous keys can be decrypted and are rewrapped with the current one. */
export interface VaultKeys {
  readonly currentId: string
  readonly current: Uint8Array
  /** Returns undefined for an unknown key. */
  byId(id: string): Uint8Array | undefined
  /** Derives keys for other purposes (RFC 5869), 32 bytes each, the current one first. */
  derived(purpose: string): readonly [Uint8Array, ...Uint8Array[]]
}

/** @param current - 32 bytes, as the previous ones */
export function vaultKeys(current: Uint8Array, previous: readonly Uint8Array[] = []): VaultKeys {
  const derived = (key: Uint8Array, purpose: string) => new Uint8Array(hkdfSync('sha256', key, '', `civigraph ${purpose}`, 32))
  const all = [current, ...previous]
  const byId = new Map(all.map((key) => [keyIdOf(key), key]))
  return {
    current,
    currentId: keyIdOf(current),
    byId: (id) => byId.get(id),
    derived: (purpose) => [derived(current, purpose), ...previous.map((key) => derived(key, purpose))],
  }
}
