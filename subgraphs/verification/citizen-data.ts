import type { CitizenOutcome, CitizenOutcomes } from '../../engines/citizen-data/citizen-outcomes.ts'
import type { Database } from '../../engines/relational/database.ts'
import { and, asc, gt, inArray, isNotNull } from '../../engines/relational/drizzle.ts'
import { type JobRow, verificationJob } from './tables.ts'

/** Returns the outcomes of the stored jobs, for the register of citizens. */
export function citizenOutcomes({ orm }: Database): CitizenOutcomes {
  const isFinal = and(isNotNull(verificationJob.outcome), isNotNull(verificationJob.completedAt))
  return {
    async of(jobIds) {
      if (jobIds.length === 0) return []
      const rows = await orm
        .select()
        .from(verificationJob)
        .where(and(inArray(verificationJob.id, [...jobIds]), isFinal))
      return rows.flatMap(outcomeOf)
    },
    async after(jobId, limit) {
      const rows = await orm
        .select()
        .from(verificationJob)
        .where(and(isFinal, jobId === undefined ? undefined : gt(verificationJob.id, jobId)))
        .orderBy(asc(verificationJob.id))
        .limit(limit)
      return rows.flatMap(outcomeOf)
    },
  }
}

const outcomeOf = ({ id, citizenCode, outcome, completedAt, documentExpiresOn }: JobRow): CitizenOutcome[] =>
  outcome === null || completedAt === null
    ? []
    : [{ jobId: id, code: citizenCode, outcome, at: completedAt, expiresOn: outcome === 'verified' ? documentExpiresOn : null }]
