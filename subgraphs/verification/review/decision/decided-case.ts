import type { Transaction } from '../../../../engines/relational/database.ts'
import { sql } from '../../../../engines/relational/drizzle.ts'
import type { JobResult } from '../../assessment/result.ts'
import type { CheckProperty } from '../../checks/check.ts'
import { verificationReviewCase } from '../../tables.ts'
import type { ReviewDecision, ReviewReason } from '../../vocabulary.ts'

/** score of two faces at the threshold of different persons */
const faceLine = 0.5

/** Returns the decision that the face score alone would suggest; undefined when no faces were compared. */
export const faceDecisionOf = ({ scores }: Pick<JobResult, 'scores'>): ReviewDecision | undefined =>
  scores?.faceMatch === undefined ? undefined : scores.faceMatch >= faceLine ? 'verified' : 'rejected'

/** Stores measurements and decision as numbers, for figures and the choice of thresholds. */
export async function storeCase(
  tx: Transaction,
  jobId: string,
  { decision, reason }: { readonly decision: ReviewDecision; readonly reason: ReviewReason },
  result: JobResult,
): Promise<void> {
  const faces = result.crossValidations?.faceComparison?.faceMatch.properties ?? []
  const distance = propertyOf(faces, 'distance')
  const model = propertyOf(faces, 'model')
  await tx.insert(verificationReviewCase).values({
    jobId,
    decidedOn: sql`(now() at time zone 'utc')::date`,
    decision,
    reason,
    leaning: faceDecisionOf(result) ?? null,
    faceModel: typeof model === 'string' ? model : null,
    faceDistance: typeof distance === 'number' ? distance : null,
    scores: { ...result.scores },
  })
}

function propertyOf(properties: readonly CheckProperty[], key: string): number | string | undefined {
  const property = properties.find((each) => each.key === key)
  return property && ('number' in property ? property.number : property.text)
}
