import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database, Queryable } from '../../../engines/relational/database.ts'
import {
  and,
  asc,
  count,
  eq,
  inArray,
  integer,
  isNull,
  jsonb,
  millisecondMoment,
  pgTable,
  sql,
  text,
  uuid,
} from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'

/** outdated: follows a publication; reclassify: on request */
export type TaxonomyJobKind = 'preview' | 'outdated' | 'reclassify'
export type TaxonomyJobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Conditions on the expressions of a re-classification; an absent one matches everything. */
export interface ReclassificationFilter {
  /** ids of domains, sub-domains included; null: expressions without a domain */
  readonly domains?: readonly (string | null)[]
  readonly lang?: string
  /** creation times, RFC 3339; `from` included, `to` excluded */
  readonly from?: string
  readonly to?: string
  /** only those that were classified with an earlier version of the taxonomy */
  readonly outdatedOnly?: boolean
}

const taxonomyJob = pgTable('taxonomy_job', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<TaxonomyJobKind>().notNull(),
  state: text('state').$type<TaxonomyJobState>().notNull(),
  author: text('author').notNull(),
  version: integer('version').notNull(),
  filter: jsonb('filter').$type<ReclassificationFilter>().notNull().default({}),
  rate: integer('rate').notNull(),
  total: integer('total'),
  examined: integer('examined').notNull().default(0),
  changed: integer('changed').notNull().default(0),
  kept: integer('kept').notNull().default(0),
  afterId: uuid('after_id'),
  result: jsonb('result').$type<unknown>(),
  createdAt: millisecondMoment('created_at').notNull().defaultNow(),
  finishedAt: millisecondMoment('finished_at'),
})
export type TaxonomyJob = typeof taxonomyJob.$inferSelect

export const defaultRate = 200
const open: readonly TaxonomyJobState[] = ['waiting', 'running']

export interface NewJob {
  readonly kind: TaxonomyJobKind
  readonly author: string
  readonly version: number
  readonly filter?: ReclassificationFilter
  readonly rate?: number
}

/** What a batch of a job adds to its progress. */
export interface JobProgress {
  readonly afterId: string | null
  readonly examined: number
  readonly changed: number
  readonly kept: number
}

/** A position in the list of jobs. */
export interface JobPlace {
  readonly createdAt: Date
  readonly id: string
}

/** Previews and re-classifications. All methods throw EngineUnavailable while the database is unavailable. */
export class TaxonomyJobs {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async begin(on: Queryable, { kind, author, version, filter = {}, rate = defaultRate }: NewJob): Promise<string> {
    const id = randomUUID()
    await on.insert(taxonomyJob).values({ id, kind, state: 'waiting', author, version, filter, rate })
    return id
  }

  /** Starts a preview and ends those of earlier revisions. */
  beginPreview(author: string, revision: number): Promise<string> {
    return this.#database.transaction(async (tx) => {
      await tx
        .update(taxonomyJob)
        .set({ state: 'cancelled', finishedAt: sql`now()` })
        .where(and(eq(taxonomyJob.kind, 'preview'), inArray(taxonomyJob.state, [...open])))
      return this.begin(tx, { kind: 'preview', author, version: revision })
    })
  }

  /** Returns the oldest unfinished job of these kinds. */
  async next(kinds: readonly TaxonomyJobKind[]): Promise<TaxonomyJob | undefined> {
    const [job] = await this.#database.orm
      .select()
      .from(taxonomyJob)
      .where(and(inArray(taxonomyJob.kind, [...kinds]), isNull(taxonomyJob.finishedAt)))
      .orderBy(asc(taxonomyJob.createdAt), asc(taxonomyJob.id))
      .limit(1)
    return job
  }

  async find(ids: readonly string[]): Promise<readonly TaxonomyJob[]> {
    return ids.length === 0
      ? []
      : this.#database.orm
          .select()
          .from(taxonomyJob)
          .where(inArray(taxonomyJob.id, [...ids]))
  }

  /** Returns the newest preview. */
  async latestPreview(): Promise<TaxonomyJob | undefined> {
    const [job] = await this.#database.orm
      .select()
      .from(taxonomyJob)
      .where(eq(taxonomyJob.kind, 'preview'))
      .orderBy(sql`${taxonomyJob.createdAt} desc`)
      .limit(1)
    return job
  }

  /** Returns a page of re-classifications, newest first. */
  async page(window: RowWindow<JobPlace>): Promise<readonly TaxonomyJob[]> {
    const { createdAt, id, kind } = taxonomyJob
    const { past, order } = keyset([createdAt, id], 'descending', window, (place) => [place.createdAt, place.id])
    return this.#database.orm
      .select()
      .from(taxonomyJob)
      .where(and(inArray(kind, ['outdated', 'reclassify']), past))
      .orderBy(...order)
      .limit(window.limit)
  }

  async countReclassifications(): Promise<number> {
    const [row] = await this.#database.orm
      .select({ count: count() })
      .from(taxonomyJob)
      .where(inArray(taxonomyJob.kind, ['outdated', 'reclassify']))
    return row?.count ?? 0
  }

  async start(id: string, total: number | null): Promise<void> {
    await this.#database.orm
      .update(taxonomyJob)
      .set({ state: 'running', total })
      .where(and(eq(taxonomyJob.id, id), eq(taxonomyJob.state, 'waiting')))
  }

  /** Adds to the progress. @returns false when the job was cancelled */
  async progress(id: string, { afterId, examined, changed, kept }: JobProgress): Promise<boolean> {
    const rows = await this.#database.orm
      .update(taxonomyJob)
      .set({
        afterId,
        examined: sql`${taxonomyJob.examined} + ${examined}`,
        changed: sql`${taxonomyJob.changed} + ${changed}`,
        kept: sql`${taxonomyJob.kept} + ${kept}`,
      })
      .where(and(eq(taxonomyJob.id, id), eq(taxonomyJob.state, 'running')))
      .returning({ id: taxonomyJob.id })
    return rows.length > 0
  }

  async finish(id: string, state: 'done' | 'failed', result: unknown): Promise<void> {
    await this.#database.orm
      .update(taxonomyJob)
      .set({ state, result, finishedAt: sql`now()` })
      .where(and(eq(taxonomyJob.id, id), isNull(taxonomyJob.finishedAt)))
  }

  /** @throws {Fault} NOT_FOUND or CONFLICT when it has ended, or follows a publication */
  async cancel(on: Queryable, id: string): Promise<TaxonomyJob> {
    const [job] = await on.select().from(taxonomyJob).where(eq(taxonomyJob.id, id)).for('update')
    if (job === undefined) throw new Fault('NOT_FOUND', 'Re-classification not found')
    if (job.kind === 'outdated') throw new Fault('CONFLICT', 'A re-classification that follows a publication cannot be cancelled')
    if (job.finishedAt !== null) throw new Fault('CONFLICT', 'The re-classification has already ended')
    const [cancelled] = await on
      .update(taxonomyJob)
      .set({ state: 'cancelled', finishedAt: sql`now()` })
      .where(eq(taxonomyJob.id, id))
      .returning()
    return cancelled ?? job
  }
}

const Failure = z.object({ reason: z.string() })
/** Returns the reason of a failed job; null for the others. */
export const problemOf = ({ state, result }: Pick<TaxonomyJob, 'state' | 'result'>): string | null =>
  state === 'failed' ? (Failure.safeParse(result).data?.reason ?? 'Unknown reason') : null
