import { createHash } from 'node:crypto'
import type { CitizenDataHolder, ExportedRecord } from '../../../engines/citizen-data/citizen-data.ts'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, asc, eq, gt, inArray } from '../../../engines/relational/drizzle.ts'
import { decodeResult } from '../assessment/result.ts'
import { chipChallenge } from '../chip/tables.ts'
import { verificationFaceTemplate } from '../duplicates/tables.ts'
import { livenessChallenge } from '../liveness/tables.ts'
import { notesOf } from '../review/decision/review-notes.ts'
import { imageMembers } from '../submission/submission.ts'
import { decodeSubmission } from '../submission/submission-record.ts'
import { type JobRow, verificationJob, verificationReviewDecision } from '../tables.ts'
import { eraseCitizen } from './erase-citizen.ts'

/** position of the records after all jobs; ids of jobs sort before it */
const afterJobs = '~'

/** Returns the verifications, face templates and challenges of a citizen. An erasure removes all of them in one transaction. */
export function citizenVerifications(parts: { readonly database: Database; readonly vault: ImageVault }): CitizenDataHolder {
  const { orm } = parts.database
  return {
    component: 'verification',
    async survey({ code }) {
      const [verifications, templates, chips, frames] = await Promise.all([
        orm.$count(verificationJob, eq(verificationJob.citizenCode, code)),
        orm.$count(verificationFaceTemplate, eq(verificationFaceTemplate.citizenCode, code)),
        orm.$count(chipChallenge, eq(chipChallenge.citizenCode, code)),
        orm.$count(livenessChallenge, eq(livenessChallenge.citizenCode, code)),
      ])
      return { erasable: { verifications, face_templates: templates, challenges: chips + frames }, remaining: [] }
    },
    async erase({ code }, record) {
      await eraseCitizen(parts, code, (tx, { jobIds, templates, challenges }) =>
        record(tx, {
          counts: { verifications: jobIds.length, face_templates: templates, challenges },
          nodes: jobIds.map((id) => ['VerificationJob', id]),
          isLast: true,
        }),
      )
    },
    async export({ code }, after, limit, signal) {
      if (after?.startsWith(afterJobs)) return []
      const jobs = await orm
        .select()
        .from(verificationJob)
        .where(and(eq(verificationJob.citizenCode, code), after === undefined ? undefined : gt(verificationJob.id, after)))
        .orderBy(asc(verificationJob.id))
        .limit(limit)
      const records: ExportedRecord[] = []
      for (const job of jobs) records.push(await jobRecord(parts, job, signal))
      return jobs.length < limit ? [...records, ...(await otherRecords(parts.database, code))] : records
    },
  }
}

/** Describes a job with its sealed parts; images by size and digest. */
async function jobRecord(
  { database, vault }: { readonly database: Database; readonly vault: ImageVault },
  job: JobRow,
  signal: AbortSignal,
): Promise<ExportedRecord> {
  const { id } = job
  const opened = async (record: 'submission' | 'result') => (await vault.open([id], record, signal)).get(id)
  const [sealedSubmission, sealedResult, notes] = await Promise.all([opened('submission'), opened('result'), notesOf(vault, id, signal)])
  const submission = sealedSubmission && decodeSubmission(sealedSubmission)
  const result = sealedResult && decodeResult(sealedResult)
  const decisions = await database.orm
    .select()
    .from(verificationReviewDecision)
    .where(inArray(verificationReviewDecision.jobId, [id]))
    .orderBy(asc(verificationReviewDecision.number))
  const images = imageMembers.flatMap((member) => {
    const image = submission?.[member]
    return image !== undefined && 'bytes' in image ? [{ image: member, ...describedBytes(image.bytes) }] : []
  })
  return {
    position: id,
    type: 'verification',
    data: {
      id,
      service: job.owner,
      batch_id: job.batchId,
      document_type: job.documentType,
      country_code: job.countryCode,
      document_expires_on: job.documentExpiresOn,
      priority: job.priority,
      callback_url: job.callbackUrl,
      status: job.status,
      outcome: job.outcome,
      queued_at: job.queuedAt,
      started_at: job.startedAt,
      completed_at: job.completedAt,
      acknowledged_at: job.acknowledgedAt,
      declared_identity: submission?.declaredIdentity ?? null,
      images,
      result: result && { failure_reason: result.failureReason, cross_validations: result.crossValidations, scores: result.scores },
      review_decisions: decisions.map(({ number, decision, reason, decidedAt }) => ({
        decision,
        reason,
        decided_at: decidedAt,
        note: notes[number] ?? null,
      })),
    },
  }
}

const describedBytes = (bytes: Uint8Array) => ({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })

async function otherRecords({ orm }: Database, code: string): Promise<readonly ExportedRecord[]> {
  const template = verificationFaceTemplate
  const [templates, chips, frames] = await Promise.all([
    orm
      .select({ service: template.owner, model: template.model, created_at: template.createdAt })
      .from(template)
      .where(eq(template.citizenCode, code)),
    orm
      .select({ service: chipChallenge.owner, issued_at: chipChallenge.issuedAt, job_id: chipChallenge.jobId })
      .from(chipChallenge)
      .where(eq(chipChallenge.citizenCode, code)),
    orm
      .select({ service: livenessChallenge.owner, issued_at: livenessChallenge.issuedAt, job_id: livenessChallenge.jobId })
      .from(livenessChallenge)
      .where(eq(livenessChallenge.citizenCode, code)),
  ])
  const recordsOf = (type: string, rows: readonly Readonly<Record<string, unknown>>[]): readonly ExportedRecord[] =>
    rows.map((data) => ({ position: afterJobs, type, data }))
  return [...recordsOf('face_template', templates), ...recordsOf('chip_challenge', chips), ...recordsOf('liveness_challenge', frames)]
}
