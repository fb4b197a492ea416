import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, gte, inArray, lt, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { isVisible, statusDays, type Visibility } from '../access/visibility.ts'
import { type JobRow, verificationJob } from '../tables.ts'

/** Returns the rows in the order of the ids; undefined for unknown ids and those of other callers. */
export async function findJobs(database: Database, ids: readonly string[], visibility: Visibility): Promise<(JobRow | undefined)[]> {
  // UUIDs only: PostgreSQL would refuse an id with U+0000
  const validIds = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))
  const rows = validIds.length === 0 ? [] : await database.orm.select().from(verificationJob).where(inArray(verificationJob.id, validIds))
  const byId = new Map(rows.filter((row) => isVisible(row, visibility)).map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

/**
 * Returns the jobs of each batch that the caller may see, in the order of ids, in one statement.
 * @param window - positions are ids
 * @returns by batch; a batch without jobs is absent
 */
export async function findBatchJobs(
  database: Database,
  batches: readonly string[],
  visibility: Visibility,
  window: RowWindow<string>,
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const { past, order } = keyset([verificationJob.id], 'ascending', window, (id) => [id])
  const perBatch = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(and(sql`${verificationJob.batchId} = wanted.batch`, visibleTo(visibility), past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  const wanted = sql`unnest(${sql.param([...batches])}::text[]) as wanted (batch)`
  const ids = database.orm.select({ id: perBatch.id }).from(wanted).crossJoinLateral(perBatch)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(...order)
  return Map.groupBy(rows, ({ batchId }) => batchId ?? '')
}

/** Counts the stored jobs of a batch that the caller may see. */
export async function countBatchJobs(database: Database, batch: string, visibility: Visibility): Promise<number> {
  return database.orm.$count(verificationJob, and(eq(verificationJob.batchId, batch), visibleTo(visibility)))
}

/** Filter for jobs; a job has an outcome when it is final. */
export interface JobFilter {
  readonly status?: JobRow['status'] | undefined
  readonly outcome?: JobRow['outcome'] | undefined
  readonly citizenCode?: string | undefined
  /** as submitted */
  readonly countryCode?: string | undefined
  /** time of submission, inclusive */
  readonly from?: Date | undefined
  /** time of submission, exclusive */
  readonly to?: Date | undefined
}

/**
 * Returns the jobs of all services, newest first.
 * @param window - positions are ids, ordered by time of submission (RFC 9562 version 7)
 */
export function listJobs(database: Database, filter: JobFilter, window: RowWindow<string>): Promise<readonly JobRow[]> {
  const { past, order } = keyset([verificationJob.id], 'descending', window, (id) => [id])
  return database.orm
    .select()
    .from(verificationJob)
    .where(and(matching(filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Counts the jobs of all services. */
export async function countJobs(database: Database, filter: JobFilter): Promise<number> {
  return database.orm.$count(verificationJob, matching(filter))
}

/**
 * Returns the newest verifications of each citizen, in one statement.
 * @param window - positions are ids, ordered by time of submission (RFC 9562 version 7)
 * @returns by code, newest first; a citizen without verifications is absent
 */
export async function findCitizenJobs(
  database: Database,
  codes: readonly string[],
  window: RowWindow<string>,
): Promise<ReadonlyMap<string, readonly JobRow[]>> {
  const { past, order } = keyset([verificationJob.id], 'descending', window, (id) => [id])
  const perCitizen = database.orm
    .select({ id: verificationJob.id })
    .from(verificationJob)
    .where(and(sql`${verificationJob.citizenCode} = wanted.code`, past))
    .orderBy(...order)
    .limit(window.limit)
    .as('page')
  // codes are stored escaped: see tables.ts
  const wanted = sql`unnest(${sql.param(codes.map((code) => JSON.stringify(code)))}::text[]) as wanted (code)`
  const ids = database.orm.select({ id: perCitizen.id }).from(wanted).crossJoinLateral(perCitizen)
  const rows = await database.orm
    .select()
    .from(verificationJob)
    .where(sql`${verificationJob.id} in ${ids}`)
    .orderBy(...order)
  return Map.groupBy(rows, (row) => row.citizenCode)
}

/** Counts the stored verifications of a citizen. */
export async function countCitizenJobs(database: Database, code: string): Promise<number> {
  return database.orm.$count(verificationJob, eq(verificationJob.citizenCode, code))
}

const visibleTo = (visibility: Visibility) =>
  visibility === 'all'
    ? undefined
    : and(
        eq(verificationJob.owner, visibility.owner),
        sql`(${verificationJob.acknowledgedAt} is null or ${verificationJob.acknowledgedAt} > now() - make_interval(days => ${statusDays}))`,
      )

const matching = ({ status, outcome, citizenCode, countryCode, from, to }: JobFilter) =>
  and(
    status === undefined ? undefined : eq(verificationJob.status, status),
    outcome == null ? undefined : eq(verificationJob.outcome, outcome),
    citizenCode === undefined ? undefined : eq(verificationJob.citizenCode, citizenCode),
    countryCode === undefined ? undefined : eq(verificationJob.countryCode, countryCode),
    from && gte(verificationJob.id, firstIdAt(from)),
    to && lt(verificationJob.id, firstIdAt(to)),
  )

/** Returns the lowest id of a time: ids begin with 48 bits of milliseconds (RFC 9562 version 7). */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}
