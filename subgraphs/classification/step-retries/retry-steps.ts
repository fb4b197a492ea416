import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { completed, missingBlocks } from '../analysis/missing-findings.ts'
import type { Pipeline } from '../analysis/pipeline.ts'
import { saveWithCurrentDomains } from '../expression/current-domains.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { queuedOf, recordOf } from '../expression/expression-mapping.ts'
import type { ExpressionScreening } from '../screening/screen-expressions.ts'
import type { StepRetries, StepRetry } from './step-retries.ts'

export type RetryOutcome = 'done' | 'failed' | 'dead'

export interface RetryDependencies {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
  readonly pipeline: Pick<Pipeline, 'run'>
  /** absent: no expression is flagged or held */
  readonly screening?: ExpressionScreening | undefined
  readonly log: Log
  readonly onRetried: (outcome: RetryOutcome) => void
  /** polling interval; one second when absent */
  readonly everyMs?: number
}

const atOnce = 20
/** the last attempt is at most about 13 hours after reception */
const maxAttempts = 8

/** Retries failed steps when they are due. Workers share the work. */
export function stepRetrying(parts: RetryDependencies): Part {
  return periodic(
    'retries of pipeline steps',
    parts.everyMs ?? 1000,
    async (signal) => {
      for (const retry of await parts.retries.take(atOnce)) {
        signal.throwIfAborted()
        const outcome = await retryOne(parts, retry, signal)
        if (outcome !== undefined) parts.onRetried(outcome)
      }
    },
    (error) => parts.log.warn({ err: error }, 'failed steps could not be retried; the next round retries them'),
  )
}

/** @returns undefined when nothing remains to be done */
async function retryOne(parts: RetryDependencies, retry: StepRetry, signal: AbortSignal): Promise<RetryOutcome | undefined> {
  const { store, retries, pipeline, log } = parts
  const [record] = await store.findExpressions([retry.id])
  if (record === undefined) {
    // queued, or withdrawn
    await (retry.attempts < maxAttempts ? retries.putOff(retry) : retries.remove([retry.id]))
    return undefined
  }
  const document = ExpressionDocument.parse(record.enrichment)
  const missing = missingBlocks(document)
  if (missing.length === 0) {
    await retries.remove([retry.id])
    return undefined
  }
  const { failures: before, ...given } = retry.given
  const { vector, failures, ...findings } = await pipeline.run({ text: document.text, position: null, ...given }, 0, signal)
  const next = completed(document, findings)
  const stillMissing = missingBlocks(next)
  // a vector belongs to the name of its model, which stays with an existing vector
  const embedding = missing.includes('embedding') ? vector : record.embedding
  if (stillMissing.length < missing.length) await saveWithCurrentDomains(store, [recordOf(queuedOf(record, next, embedding))])
  if (missing.includes('toxicity')) await parts.screening?.reconsider(next)
  if (stillMissing.length === 0) {
    await retries.remove([retry.id])
    log.info({ expressionId: retry.id, attempts: retry.attempts, failures: before }, 'a retry completed the failed steps')
    return 'done'
  }
  if (retry.attempts < maxAttempts) {
    await retries.putOff({ ...retry, given: { ...given, failures } })
    return 'failed'
  }
  await store.storeDeadLetters([
    {
      id: retry.id,
      content: { given: { ...given, failures } },
      reason: `failed ${retry.attempts} times: ${stillMissing.join(', ')} (${reasonOf(failures)})`,
    },
  ])
  await retries.remove([retry.id])
  log.error(
    { expressionId: retry.id, missing: stillMissing, failures },
    'the last retry of a failed step failed; the expression is a dead letter',
  )
  return 'dead'
}

const reasonOf = (failures: Readonly<Record<string, string>>): string =>
  Object.entries(failures)
    .map(([step, cause]) => `${step}: ${cause}`)
    .join('; ')
