import { hkdfSync } from 'node:crypto'
import { keyIdOf } from './sealing.ts'

/** VAULT_KEY, and the ones before it: what they sealed can be opened and is sealed anew under the present one. */
export interface VaultKeys {
  readonly currentId: string
  readonly current: Uint8Array
  /** undefined for a key that this process does not have */
  byId(id: string): Uint8Array | undefined
  /** Keys for other uses than sealing (RFC 5869), 32 bytes each, the present one's first. */
  derived(purpose: string): readonly [Uint8Array, ...Uint8Array[]]
}

/** @param current - 32 bytes, as are the previous ones */
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
