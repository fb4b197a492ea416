import type { DetectedFace } from '../../../engines/face-analyser/face-analyser.ts'
import { openRecord, type SealedRecord, sealRecord } from '../../../engines/image-vault/sealing.ts'
import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { Fault } from '../../../foundation/fault.ts'

/** Network of a face template: SFace if installed, otherwise the built-in one. */
export type TemplateModel = 'sface' | 'dlib'

/** Face embedding: biometric data, in memory only while a job runs, and sealed in storage. */
export interface FaceTemplate {
  readonly model: TemplateModel
  /** compared by Euclidean distance within one model; those of SFace have length 1 */
  readonly vector: Float32Array
}

/** Dimensions of a template, for both models. */
export const dimensions = 128

export const templateOf = ({ descriptor, recognised }: DetectedFace): FaceTemplate =>
  recognised === undefined ? { model: 'dlib', vector: descriptor } : { model: 'sface', vector: recognised }

/** The holder of a sealed template. */
export interface TemplateHolder {
  readonly owner: string
  readonly citizenCode: string
  readonly model: string
}

/** Authenticated with the content, so that templates of two citizens cannot be swapped. */
export const aboutTemplate = ({ owner, citizenCode, model }: TemplateHolder): string =>
  JSON.stringify(['civigraph', 'face template', owner, citizenCode, model])

/** Seals with the current key. @param keys - DEDUPLICATION_KEY and earlier keys */
export function sealTemplate(keys: VaultKeys, holder: TemplateHolder, vector: Float32Array): SealedRecord {
  const content = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) content.writeFloatLE(value, index * 4)
  return sealRecord(keys.current, content, aboutTemplate(holder))
}

/** @throws {Fault} INTERNAL, without the citizen, when the row was altered or no key opens it */
export function openTemplate(keys: VaultKeys, id: number, holder: TemplateHolder, sealed: SealedRecord): Float32Array {
  const key = keys.byId(sealed.keyId)
  if (key === undefined) throw unreadable(id)
  try {
    const content = Buffer.from(openRecord(key, sealed, aboutTemplate(holder)))
    return Float32Array.from({ length: content.length / 4 }, (_, index) => content.readFloatLE(index * 4))
  } catch {
    throw unreadable(id)
  }
}

export const unreadable = (id: number): Fault =>
  new Fault('INTERNAL', `The face template ${id} cannot be read`, {}, new Error('it was changed, or sealed with another DEDUPLICATION_KEY'))
