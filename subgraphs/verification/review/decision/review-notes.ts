import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { Transaction } from '../../../../engines/relational/database.ts'

/** Notes of reviewers by decision number: sealed, because they may name persons, and stored as long as the job. */
export type ReviewNotes = Readonly<Record<number, string>>

export async function notesOf(vault: ImageVault, jobId: string, signal: AbortSignal): Promise<ReviewNotes> {
  const record = (await vault.open([jobId], 'notes', signal)).get(jobId)
  // the seal authenticates data that only this program writes
  return record === undefined ? {} : (JSON.parse(Buffer.from(record).toString('utf8')) as ReviewNotes)
}

/** Replaces the notes of a job. */
export async function storeNotes(tx: Transaction, vault: ImageVault, jobId: string, notes: ReviewNotes): Promise<void> {
  await vault.erase(tx, [jobId], 'notes')
  if (Object.keys(notes).length === 0) return
  await vault.seal(tx, [{ jobId, record: 'notes', content: [Buffer.from(JSON.stringify(notes))] }])
}
