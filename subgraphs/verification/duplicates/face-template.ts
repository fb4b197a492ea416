import type { DetectedFace } from '../../../engines/face-analyser/face-analyser.ts'
import { openRecord, type Sealed, sealRecord } from '../../../engines/image-vault/sealing.ts'
import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { Fault } from '../../../foundation/fault.ts'

/** Which network described a face: SFace where it is installed, else the one that is always there. */
export type TemplateModel = 'sface' | 'dlib'

/** Numbers that stand for a face: biometric data, in memory only while a job runs, sealed wherever it is kept. */
export interface FaceTemplate {
  readonly model: TemplateModel
  /** to be compared by Euclidean distance with others of the same model; those of SFace have length 1 */
  readonly vector: Float32Array
}

/** Numbers in a template, of either model. */
export const dimensions = 128

export const templateOf = ({ descriptor, recognised }: DetectedFace): FaceTemplate =>
  recognised === undefined ? { model: 'dlib', vector: descriptor } : { model: 'sface', vector: recognised }

/** Whose face a sealed template is. */
export interface TemplateHolder {
  readonly owner: string
  readonly citizenCode: string
  readonly model: string
}

/** Authenticated with the content, so that the face of one citizen cannot stand in for another's. */
export const aboutTemplate = ({ owner, citizenCode, model }: TemplateHolder): string =>
  JSON.stringify(['civigraph', 'face template', owner, citizenCode, model])

/** Under the present key. @param keys - DEDUPLICATION_KEY and those before it */
export function sealTemplate(keys: VaultKeys, holder: TemplateHolder, vector: Float32Array): Sealed {
  const content = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) content.writeFloatLE(value, index * 4)
  return sealRecord(keys.current, content, aboutTemplate(holder))
}

/** @throws {Fault} INTERNAL, naming nobody, when the row was changed or none of the keys sealed it */
export function openTemplate(keys: VaultKeys, id: number, holder: TemplateHolder, sealed: Sealed): Float32Array {
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
