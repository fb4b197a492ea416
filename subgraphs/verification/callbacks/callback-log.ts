import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, asc, eq, inArray, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import type { Visibility } from '../access/visibility.ts'
import {
  type CallbackAttemptRow,
  type CallbackRow,
  type JobRow,
  verificationCallback,
  verificationCallbackAttempt,
  verificationJob,
} from '../tables.ts'

/** A callback with its job and most recent attempts, oldest first. */
export interface LoggedCallback {
  readonly callback: CallbackRow
  readonly job: JobRow
  readonly attempts: readonly CallbackAttemptRow[]
}

export interface CallbackFilter {
  /** callbacks of these jobs */
  readonly jobIds?: readonly string[]
  readonly state?: CallbackRow['state']
}

/** Position of a callback in the log. */
export interface CallbackPlace {
  readonly createdAt: Date
  readonly jobId: string
}

/** maximum of attempts shown per callback: more than two series */
const maxAttempts = 25

/** Returns the caller's callbacks, newest first. */
export async function listCallbacks(
  { orm }: Database,
  visibility: Visibility,
  filter: CallbackFilter,
  window: RowWindow<CallbackPlace>,
): Promise<readonly LoggedCallback[]> {
  const { createdAt, jobId } = verificationCallback
  const { past, order } = keyset([createdAt, jobId], 'descending', window, (place) => [place.createdAt, place.jobId])
  const rows = await orm
    .select({ callback: verificationCallback, job: verificationJob })
    .from(verificationCallback)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(and(visible(visibility, filter), past))
    .orderBy(...order)
    .limit(window.limit)
  const attempts = await attemptsOf(
    { orm },
    rows.map(({ job }) => job.id),
  )
  return rows.map((row) => ({ ...row, attempts: attempts.get(row.job.id) ?? [] }))
}

/** Counts the caller's callbacks. */
export async function countCallbacks({ orm }: Database, visibility: Visibility, filter: CallbackFilter): Promise<number> {
  return orm.$count(verificationCallback, visible(visibility, filter))
}

function visible(visibility: Visibility, filter: CallbackFilter) {
  const { jobId, owner, state } = verificationCallback
  return and(
    visibility === 'all' ? undefined : eq(owner, visibility.owner),
    filter.jobIds && inArray(jobId, [...filter.jobIds]),
    filter.state === undefined ? undefined : eq(state, filter.state),
  )
}

async function attemptsOf({ orm }: Pick<Database, 'orm'>, jobIds: string[]): Promise<ReadonlyMap<string, readonly CallbackAttemptRow[]>> {
  const attempts = new Map<string, CallbackAttemptRow[]>()
  if (jobIds.length === 0) return attempts
  const { jobId, number } = verificationCallbackAttempt
  const made = sql`(select made from verification_callback c where c.job_id = ${jobId})`
  const rows = await orm
    .select()
    .from(verificationCallbackAttempt)
    .where(and(inArray(jobId, jobIds), sql`${number} > ${made} - ${maxAttempts}`))
    .orderBy(asc(jobId), asc(number))
  for (const row of rows) attempts.set(row.jobId, [...(attempts.get(row.jobId) ?? []), row])
  return attempts
}

/**
 * Schedules a callback for immediate delivery and resets its attempt limit.
 * @param account - writes the audit record in the same transaction
 * @returns undefined when it is not the caller's
 */
export async function redeliverCallback(
  database: Database,
  visibility: Visibility,
  jobId: string,
  window?: CommitWindow,
  account: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<LoggedCallback | undefined> {
  const isVisible = visibility === 'all' ? undefined : eq(verificationCallback.owner, visibility.owner)
  const again = { state: 'pending', tries: 0, nextAt: sql`now()` } as const
  await database.transaction(async (tx) => {
    const changed = await tx
      .update(verificationCallback)
      .set(again)
      .where(and(eq(verificationCallback.jobId, jobId), isVisible))
      .returning({ jobId: verificationCallback.jobId })
    if (changed.length > 0) await account(tx)
  }, window)
  const [entry] = await listCallbacks(database, visibility, { jobIds: [jobId] }, { limit: 1 })
  return entry
}
