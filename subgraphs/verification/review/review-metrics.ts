import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'

export interface ReviewMetrics {
  readonly waiting: number
  /** waiting jobs that a reviewer has claimed */
  readonly claimed: number
  /** 0 when no job waits */
  readonly oldestSeconds: number
  /** UTC days with decisions, latest first */
  readonly days: readonly DecidedDay[]
  /** jobs decided on these days with compared faces, and those whose face score agrees with the decision */
  readonly compared: number
  readonly agreed: number
}

export interface DecidedDay {
  /** YYYY-MM-DD */
  readonly day: string
  readonly verified: number
  readonly rejected: number
}

export type ReviewBacklog = Pick<ReviewMetrics, 'waiting' | 'claimed' | 'oldestSeconds'>

export async function reviewBacklog({ orm }: Database): Promise<ReviewBacklog> {
  const { rows } = await orm.execute<{ waiting: number; claimed: number; oldest: number }>(sql`
    select count(*)::int as waiting, count(*) filter (where claim_until > now())::int as claimed,
      coalesce(extract(epoch from now() - min(waiting_since)), 0)::float8 as oldest
    from verification_review where state = 'waiting'`)
  const { waiting = 0, claimed = 0, oldest = 0 } = rows[0] ?? {}
  return { waiting, claimed, oldestSeconds: Math.max(0, oldest) }
}

type DayRow = { day: string; verified: number; rejected: number; compared: number; agreed: number }

/** @param days - number of days, including today */
export async function reviewMetrics(database: Database, days: number): Promise<ReviewMetrics> {
  const { rows } = await database.orm.execute<DayRow>(sql`
    select decided_on::text as day, count(*) filter (where decision = 'verified')::int as verified,
      count(*) filter (where decision = 'rejected')::int as rejected, count(leaning)::int as compared,
      count(*) filter (where leaning = decision)::int as agreed
    from verification_review_case where decided_on > (now() at time zone 'utc')::date - ${days}::int
    group by decided_on order by decided_on desc`)
  const total = (of: 'compared' | 'agreed'): number => rows.reduce((sum, row) => sum + row[of], 0)
  return {
    ...(await reviewBacklog(database)),
    days: rows.map(({ day, verified, rejected }) => ({ day, verified, rejected })),
    compared: total('compared'),
    agreed: total('agreed'),
  }
}
