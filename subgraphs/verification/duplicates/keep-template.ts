import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { advisoryLocks, takeLock } from '../../../engines/relational/advisory-locks.ts'
import type { Queryable, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, gt, inArray, isNull, ne, sql } from '../../../engines/relational/drizzle.ts'
import type { JobRow } from '../tables.ts'
import { type FaceTemplate, openTemplate, sealTemplate } from './face-template.ts'
import { verificationFaceTemplate as template } from './tables.ts'

/** How far a search has looked: at the faces up to this id, within this Euclidean distance. */
export interface SearchedFaces {
  readonly upTo: number
  readonly within: number
}

/** Faces are kept one transaction after the other, until whose end it is held: so they are committed in the order of their ids. */
const oneAtATime = takeLock(advisoryLocks.faceTemplates)

/**
 * Whether another citizen of the same tenant who is that near was verified since the search. Asked in the transaction that keeps the face: of two
 * jobs that run at the same moment the later one finds what the earlier one has kept.
 * @param keys - DEDUPLICATION_KEY and those before it   @throws {Fault} INTERNAL when a template cannot be opened
 */
export async function wasKeptSince(
  tx: Transaction,
  keys: VaultKeys,
  job: Pick<JobRow, 'owner' | 'citizenCode'>,
  face: FaceTemplate,
  searched: SearchedFaces,
): Promise<boolean> {
  return (await keptSince(tx, keys, job, face, searched)).length > 0
}

/**
 * The same of a job on which a person is about to decide: ids of the faces of others that the person was not shown. Asked in the transaction that
 * takes the decision. @param shown - ids of those that were
 */
export async function notShown(
  tx: Transaction,
  keys: VaultKeys,
  jobId: string,
  searched: SearchedFaces,
  shown: readonly number[],
): Promise<readonly number[]> {
  const [waiting] = await tx.select().from(template).where(eq(template.awaitsJobId, jobId)).limit(1)
  if (waiting === undefined) return []
  const face = { model: waiting.model, vector: openTemplate(keys, waiting.id, waiting, waiting) }
  const since = await keptSince(tx, keys, waiting, face, searched)
  return since.filter((id) => !shown.includes(id))
}

async function keptSince(
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
 * Keeps the face of a job's citizen, sealed, in the transaction that makes the job final: at once where it was verified, for later where a person is
 * still to decide. A citizen has one face of a model: the first that was verified stays.
 * @param keys - DEDUPLICATION_KEY and those before it
 */
export async function keepTemplate(
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
  const its = and(eq(template.citizenCode, citizenCode), eq(template.owner, owner), eq(template.model, model), isNull(template.awaitsJobId))
  return (await tx.select({ id: template.id }).from(template).where(its).limit(1)).length > 0
}

/** What a person decided: the face of a citizen who is verified is searched from now on, any other is erased. */
export async function settleTemplate(tx: Transaction, jobId: string, isVerified: boolean): Promise<void> {
  const [waiting] = await tx.delete(template).where(eq(template.awaitsJobId, jobId)).returning()
  if (waiting === undefined || !isVerified) return
  await tx.execute(oneAtATime)
  const { id: _id, createdAt: _createdAt, ...row } = waiting
  if (await hasTemplate(tx, row)) return
  // under a new id: galleries follow the ids
  await tx.insert(template).values({ ...row, awaitsJobId: null })
}

/** Erases the faces of jobs on which nobody decided in time. */
export async function dropWaiting(tx: Transaction, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length > 0) await tx.delete(template).where(inArray(template.awaitsJobId, [...jobIds]))
}

/** Who the faces are of, those erased since left out. @param ids - of templates */
export async function holdersOf({ orm }: { readonly orm: Queryable }, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await orm
    .selectDistinct({ citizenCode: template.citizenCode })
    .from(template)
    .where(sql`${template.id} = any(${sql.param([...ids])}::bigint[])`)
  return rows.map(({ citizenCode }) => citizenCode).sort()
}

/** Erases every face of a citizen, of all callers. */
export async function eraseTemplates(tx: Transaction, citizenCode: string): Promise<void> {
  await tx.delete(template).where(eq(template.citizenCode, citizenCode))
}

const distanceOf = (one: Float32Array, other: Float32Array): number => Math.hypot(...one.map((value, place) => value - (other[place] ?? 0)))
