import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { advisoryLocks, takeLock } from '../../../engines/relational/advisory-locks.ts'
import type { Queryable, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, gt, inArray, isNull, ne, sql } from '../../../engines/relational/drizzle.ts'
import type { JobRow } from '../tables.ts'
import { type FaceTemplate, openTemplate, sealTemplate } from './face-template.ts'
import { verificationFaceTemplate as template } from './tables.ts'

/** Extent of a search: faces up to this id, within this Euclidean distance. */
export interface SearchedFaces {
  readonly upTo: number
  readonly within: number
}

/** Serialises the storage of faces by a lock until the end of the transaction, so that they are committed in the order of ids. */
const oneAtATime = takeLock(advisoryLocks.faceTemplates)

/**
 * Returns whether another citizen of the same tenant within that distance was verified since the search. Runs in the transaction that
 * stores the face: of two concurrent jobs the later one sees the earlier face.
 * @param keys - DEDUPLICATION_KEY and earlier keys @throws {Fault} INTERNAL when a template cannot be opened
 */
export async function wasStoredSince(
  tx: Transaction,
  keys: VaultKeys,
  job: Pick<JobRow, 'owner' | 'citizenCode'>,
  face: FaceTemplate,
  searched: SearchedFaces,
): Promise<boolean> {
  return (await storedSince(tx, keys, job, face, searched)).length > 0
}

/**
 * Returns ids of similar faces that were not shown to the reviewer who is about to decide. Runs in the transaction of the decision.
 * @param shown - ids that were shown
 */
export async function unshownDuplicates(
  tx: Transaction,
  keys: VaultKeys,
  jobId: string,
  searched: SearchedFaces,
  shown: readonly number[],
): Promise<readonly number[]> {
  const [waiting] = await tx.select().from(template).where(eq(template.awaitsJobId, jobId)).limit(1)
  if (waiting === undefined) return []
  const face = { model: waiting.model, vector: openTemplate(keys, waiting.id, waiting, waiting) }
  const since = await storedSince(tx, keys, waiting, face, searched)
  return since.filter((id) => !shown.includes(id))
}

async function storedSince(
  tx: Transaction,
  keys: VaultKeys,
  { owner, citizenCode }: Pick<JobRow, 'owner' | 'citizenCode'>,
  { model, vector }: FaceTemplate,
  { upTo, within }: SearchedFaces,
): Promise<readonly number[]> {
  await tx.execute(oneAtATime)
  const others = and(eq(template.owner, owner), eq(template.model, model), ne(template.citizenCode, citizenCode))
  const since = await tx
    .select()
    .from(template)
    .where(and(gt(template.id, upTo), isNull(template.awaitsJobId), others))
  return since.filter((row) => distanceOf(openTemplate(keys, row.id, row, row), vector) <= within).map(({ id }) => id)
}

/**
 * Stores the sealed face in the transaction that makes the job final: searchable at once when verified, or after a reviewer's decision. A
 * citizen has one face per model: the first verified one stays.
 * @param keys - DEDUPLICATION_KEY and earlier keys
 */
export async function storeTemplate(
  tx: Transaction,
  keys: VaultKeys,
  { id, owner, citizenCode }: Pick<JobRow, 'id' | 'owner' | 'citizenCode'>,
  { model, vector }: FaceTemplate,
  isDecided: boolean,
): Promise<void> {
  if (isDecided) await tx.execute(oneAtATime)
  if (await hasTemplate(tx, { owner, citizenCode, model })) return
  const { keyId, wrappedKey, sealed } = sealTemplate(keys, { owner, citizenCode, model }, vector)
  await tx.insert(template).values({ owner, citizenCode, model, keyId, wrappedKey, sealed, awaitsJobId: isDecided ? null : id })
}

async function hasTemplate(
  tx: Transaction,
  { owner, citizenCode, model }: Pick<FaceTemplate, 'model'> & Pick<JobRow, 'owner' | 'citizenCode'>,
) {
  const condition = and(
    eq(template.citizenCode, citizenCode),
    eq(template.owner, owner),
    eq(template.model, model),
    isNull(template.awaitsJobId),
  )
  return (await tx.select({ id: template.id }).from(template).where(condition).limit(1)).length > 0
}

/** Applies a reviewer's decision: the face of a verified citizen becomes searchable, any other is erased. */
export async function settleTemplate(tx: Transaction, jobId: string, isVerified: boolean): Promise<void> {
  const [waiting] = await tx.delete(template).where(eq(template.awaitsJobId, jobId)).returning()
  if (waiting === undefined || !isVerified) return
  await tx.execute(oneAtATime)
  const { id: _id, createdAt: _createdAt, ...row } = waiting
  if (await hasTemplate(tx, row)) return
  // with a new id, because galleries follow ids
  await tx.insert(template).values({ ...row, awaitsJobId: null })
}

/** Erases the faces of jobs whose review expired. */
export async function deletePendingTemplate(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length > 0) await tx.delete(template).where(inArray(template.awaitsJobId, [...jobIds]))
}

/** Returns the holders of the faces, without erased ones. @param ids - of templates */
export async function holdersOf({ orm }: { readonly orm: Queryable }, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await orm
    .selectDistinct({ citizenCode: template.citizenCode })
    .from(template)
    .where(sql`${template.id} = any(${sql.param([...ids])}::bigint[])`)
  return rows.map(({ citizenCode }) => citizenCode).sort()
}

/** Erases all faces of a citizen, of all callers. @returns their number */
export async function eraseTemplates(tx: Transaction, citizenCode: string): Promise<number> {
  return (await tx.delete(template).where(eq(template.citizenCode, citizenCode)).returning({ id: template.id })).length
}

const distanceOf = (one: Float32Array, other: Float32Array): number => Math.hypot(...one.map((value, place) => value - (other[place] ?? 0)))
