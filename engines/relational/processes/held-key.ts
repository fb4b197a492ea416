import { keyIdOf } from '../../../foundation/key-id.ts'

/** Keys that the processes of one platform share. */
export const platformKeyNames = ['VAULT_KEY', 'DEDUPLICATION_KEY', 'PRINCIPAL_SIGNING_KEY', 'PSEUDONYM_KEY', 'EXPRESSION_KEY'] as const
export type PlatformKeyName = (typeof platformKeyNames)[number]

/** A shared key as one process holds it: ids only, the first half of a SHA-256, which reveal nothing of a random key. */
export interface HeldKey {
  readonly name: PlatformKeyName
  readonly currentId: string
  /** ids of keys that it can read with, but does not use for new data */
  readonly previousIds: readonly string[]
}

export const heldKey = (name: PlatformKeyName, current: Uint8Array, previous: readonly Uint8Array[] = []): HeldKey => ({
  name,
  currentId: keyIdOf(current),
  previousIds: previous.map(keyIdOf),
})

/** Whether the holder can read what the key with this id wrote. */
export const canRead = ({ currentId, previousIds }: Pick<HeldKey, 'currentId' | 'previousIds'>, id: string): boolean =>
  currentId === id || previousIds.includes(id)

/** Keys that can be replaced; the others identify people and expressions in stored data, and never change. */
export const rotatableKeys = ['VAULT_KEY', 'DEDUPLICATION_KEY', 'PRINCIPAL_SIGNING_KEY'] as const satisfies readonly PlatformKeyName[]
export type RotatableKey = (typeof rotatableKeys)[number]
export const isRotatable = (name: string): name is RotatableKey => rotatableKeys.some((each) => each === name)
