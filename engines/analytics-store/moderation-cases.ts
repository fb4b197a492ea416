import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { Fault, NotFound } from '../../foundation/fault.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import { isUuid } from '../../foundation/validation/values.ts'
import type { EventFeed } from '../event-feed/event-feed.ts'
import type { Database, Queryable, Transaction } from '../relational/database.ts'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { type AnalyticsChange, analyticsChange } from './analytics-change.ts'
import type { ExpressionRecord } from './analytics-store.ts'
import { recordOf, upsertExpressions } from './postgres-expressions.ts'
import { refuseRetired } from './postgres-taxonomy.ts'
import { caseStates, expression, expressionReport, moderationCase, reportReasons, vote, withheldVote } from './tables.ts'
import { forgetIdentities, reserveWithheld, withhold } from './withdraw-expressions.ts'

export { caseStates, reportReasons }
export type CaseState = (typeof caseStates)[number]
export type ReportReason = (typeof reportReasons)[number]

/** A report of a reader. */
export interface NewReport {
  readonly expressionId: string
  /** HMAC of the account or the client network, in hex */
  readonly reporter: string
  readonly reason: ReportReason
  readonly note: string | null
}

export interface StoredReport {
  readonly reason: ReportReason
  readonly note: string | null
  readonly at: Date
}

/** An expression that is withheld, with what its release needs. */
export interface WithheldExpression {
  readonly id: string
  /** as the queue of expressions holds it; JSON */
  readonly content: unknown
  /** HMACs in hex */
  readonly author: string | null
  readonly unverifiedAuthor: string | null
}

export interface ModerationCaseRow {
  /** of the expression */
  readonly id: string
  readonly state: CaseState
  readonly openedAt: Date
  readonly toxicity: number | null
  readonly reports: number
  readonly reason: string | null
  readonly note: string | null
  /** who decided; null while the case is open */
  readonly subject: string | null
  readonly decidedAt: Date | null
  readonly eraseAt: Date | null
  /** the withheld expression; null while it is public */
  readonly content: unknown
  /** enrichment of the public expression; null while it is withheld */
  readonly enrichment: unknown
}

/** A position in a list of cases. */
export interface CasePlace {
  readonly id: string
  /** time of opening in the queue, of the decision in the list of decisions */
  readonly at: Date
}

/** Conditions that must all hold. */
export interface QueueFilter {
  readonly isHeld?: boolean | undefined
  readonly cause?: 'reported' | 'toxic' | undefined
  /** of a report */
  readonly reason?: ReportReason | undefined
}

/** Who decided a case, and why. */
export interface CaseDecision {
  readonly issuer: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly note: string | null
  /** when the case is deleted, with the content of a withdrawn expression */
  readonly eraseAt: Date
}

interface DecisionOptions {
  readonly window?: CommitWindow | undefined
  /** runs in the same transaction, after the change */
  readonly within: (tx: Transaction) => Promise<void>
}

/**
 * Cases of moderation: reported expressions, expressions above the toxicity threshold, held and withdrawn ones. All methods throw
 * EngineUnavailable while the database is unavailable.
 */
export class ModerationCases {
  readonly #database: Database
  readonly #change: AnalyticsChange
  readonly #contentOf: (record: ExpressionRecord) => unknown

  /** @param contentOf - returns a public expression as the queue of expressions holds it */
  constructor(engines: { readonly database: Database; readonly feed: EventFeed }, contentOf: (record: ExpressionRecord) => unknown) {
    this.#database = engines.database
    this.#change = analyticsChange(engines)
    this.#contentOf = contentOf
  }

  /**
   * Stores an expression that is not published until it is released.
   * @param options - `mayHold`: called first in the transaction, which does nothing if it returns false
   * @returns false also if its id is in use already
   */
  async hold(
    held: WithheldExpression & { readonly toxicity: number },
    { window, mayHold, within }: DecisionOptions & { readonly mayHold: (tx: Transaction) => Promise<boolean> },
  ): Promise<boolean> {
    const holding = this.#database.transaction(async (tx) => {
      // rolled back: an empty commit would count as an effect of the request
      if (!(await mayHold(tx)) || !(await reserveWithheld(tx, held.id))) throw new IdInUse()
      await tx.insert(moderationCase).values({ ...withheldColumns(held), id: held.id, toxicity: held.toxicity })
      await within(tx)
      return true
    }, window)
    return holding.catch((error: unknown) => {
      if (error instanceof IdInUse) return false
      throw error
    })
  }

  /** Opens cases for expressions above the threshold; an existing case keeps its state. */
  async flag(flagged: readonly { readonly id: string; readonly toxicity: number }[], tx: Queryable = this.#database.orm): Promise<void> {
    if (flagged.length === 0) return
    await tx
      .insert(moderationCase)
      .values(flagged.map((each) => ({ ...each })))
      .onConflictDoUpdate({ target: moderationCase.id, set: { toxicity: sql`excluded.toxicity` } })
  }

  /**
   * Stores a report and opens a case, again if it was decided.
   * @returns false if this reader has reported the expression before
   * @throws {NotFound} for an unknown expression, and while it is held  @throws {Fault} CONFLICT for a withdrawn one
   */
  async report({ expressionId: caseId, reporter, reason, note }: NewReport, { window, within }: DecisionOptions): Promise<boolean> {
    if (!isUuid(caseId)) throw unknownExpression()
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.select({ withdrawnAt: expression.withdrawnAt }).from(expression).where(eq(expression.id, caseId)).for('share')
      if (row === undefined) throw unknownExpression()
      if (row.withdrawnAt !== null) {
        const isHeld = await tx.$count(moderationCase, and(eq(moderationCase.id, caseId), eq(moderationCase.state, 'open')))
        throw isHeld > 0 ? unknownExpression() : new Fault('CONFLICT', 'This expression was withdrawn and is no longer public')
      }
      await tx.insert(moderationCase).values({ id: caseId }).onConflictDoNothing()
      const added = await tx
        .insert(expressionReport)
        .values({ caseId, reporter: Buffer.from(reporter, 'hex'), reason, note })
        .onConflictDoNothing()
        .returning({ caseId: expressionReport.caseId })
      if (added.length === 0) return false
      await tx
        .update(moderationCase)
        .set({
          reports: sql`${moderationCase.reports} + 1`,
          state: 'open',
          openedAt: sql`case when ${moderationCase.state} = 'open' then ${moderationCase.openedAt} else ${now} end`,
          ...undecided,
        })
        .where(eq(moderationCase.id, caseId))
      await within(tx)
      return true
    }, window)
  }

  /** Decides that a public expression stays. @throws as `withdraw` */
  async leave(id: string, decision: CaseDecision, { window, within }: DecisionOptions): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const { content } = await openCase(tx, id)
      if (content !== null) throw new Fault('CONFLICT', 'This text is held: release it or withdraw it')
      await decide(tx, id, 'left', decision)
      await within(tx)
    }, window)
  }

  /**
   * Withdraws an expression and retains its content until `eraseAt`.
   * @param isCase - an open case is decided; otherwise any expression is withdrawn
   * @throws {NotFound} for an unknown case or expression
   * @throws {Fault} CONFLICT if the case was decided, or the expression withdrawn or erased
   */
  async withdraw(id: string, decision: CaseDecision, isCase: boolean, { window, within }: DecisionOptions): Promise<void> {
    await this.#change(async (tx) => {
      const isHeld = isCase && (await openCase(tx, id)).content !== null
      await (isHeld ? forgetIdentities(tx, [id]) : this.#withhold(tx, id))
      await decide(tx, id, 'withdrawn', decision)
      await within(tx)
      return { result: undefined, events: isHeld ? [] : [{ kind: 'expression_withdrawn', id }] }
    }, window)
  }

  /** Withholds a public expression until it is released: one whose toxicity was found after it was published. */
  async holdPublished(id: string, toxicity: number, { window, within }: DecisionOptions): Promise<void> {
    await this.#change(async (tx) => {
      await this.#withhold(tx, id)
      await tx
        .update(moderationCase)
        .set({ toxicity, state: 'open', ...undecided })
        .where(eq(moderationCase.id, id))
      await within(tx)
      return { result: undefined, events: [{ kind: 'expression_withdrawn', id }] }
    }, window)
  }

  async #withhold(tx: Transaction, id: string): Promise<void> {
    const locked = async () => (isUuid(id) ? await tx.select().from(expression).where(eq(expression.id, id)).for('update') : [])
    // again: a restoration that was waited for has replaced the row
    const row = (await locked())[0] ?? (await locked())[0]
    if (row === undefined) throw unknownExpression()
    if (row.withdrawnAt !== null) throw alreadyWithdrawn()
    const record = recordOf(row)
    const columns = withheldColumns({ ...record, content: this.#contentOf(record) })
    await tx
      .insert(moderationCase)
      .values({ ...columns, id })
      .onConflictDoUpdate({ target: moderationCase.id, set: columns })
    await withhold(tx, id)
  }

  /** Returns the content of a withheld expression. @throws as `publish` */
  contentFor(id: string, from: 'open' | 'withdrawn'): Promise<unknown> {
    return this.#database.transaction((tx) => withheldContent(tx, id, from))
  }

  /**
   * Publishes a withheld expression as a new one, with its votes.
   * @param options - `from`: an open case is released, a withdrawn one restored; `onlyCurrentDomains`: as for `saveExpressions`
   * @throws {NotFound} for an unknown case
   * @throws {Fault} CONFLICT if the case was decided otherwise, or its text erased  @throws {RetiredDomains} with `onlyCurrentDomains`
   */
  async publish(
    record: ExpressionRecord,
    decision: CaseDecision,
    {
      from,
      onlyCurrentDomains,
      window,
      within,
    }: DecisionOptions & { readonly from: 'open' | 'withdrawn'; readonly onlyCurrentDomains: boolean },
  ): Promise<void> {
    const { id } = record
    await this.#change(async (tx) => {
      await withheldContent(tx, id, from)
      if (onlyCurrentDomains) await refuseRetired(tx, [record])
      await tx.delete(expression).where(and(eq(expression.id, id), isNotNull(expression.withdrawnAt)))
      await upsertExpressions(tx, [record])
      await tx.execute(sql`
        insert into ${vote} (expression_id, voter, value, verified, at)
        select case_id, voter, value, verified, at from ${withheldVote} where case_id = ${id}`)
      await tx.delete(withheldVote).where(eq(withheldVote.caseId, id))
      await decide(tx, id, from === 'open' ? 'released' : 'restored', decision)
      await tx.update(moderationCase).set(published).where(eq(moderationCase.id, id))
      await within(tx)
      return { result: undefined, events: [{ kind: 'expression_added', id }] }
    }, window)
  }

  /** Returns a page of open cases, longest waiting first. */
  async queue(window: RowWindow<CasePlace>, filter: QueueFilter): Promise<readonly ModerationCaseRow[]> {
    const { past, order } = keyset([moderationCase.openedAt, moderationCase.id], 'ascending', window, ({ at, id }) => [at, id])
    return this.#rows(and(isOpen, ...conditions(filter), past), order, window.limit)
  }

  countQueue(filter: QueueFilter): Promise<number> {
    return this.#count(and(isOpen, ...conditions(filter)))
  }

  /** Returns a page of decided cases, latest decision first. @param states - undefined: all */
  async decisions(window: RowWindow<CasePlace>, states: readonly CaseState[] | undefined): Promise<readonly ModerationCaseRow[]> {
    const { past, order } = keyset([moderationCase.decidedAt, moderationCase.id], 'descending', window, ({ at, id }) => [at, id])
    return this.#rows(and(isDecided(states), past), order, window.limit)
  }

  countDecisions(states: readonly CaseState[] | undefined): Promise<number> {
    return this.#count(isDecided(states))
  }

  /** Returns the cases that exist, unordered. */
  async find(ids: readonly string[]): Promise<readonly ModerationCaseRow[]> {
    const wanted = ids.filter(isUuid)
    return wanted.length === 0 ? [] : this.#rows(inArray(moderationCase.id, wanted), [asc(moderationCase.id)], wanted.length)
  }

  /** Returns the contents of the expressions that are held before publication, by id. */
  async heldContents(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const wanted = ids.filter(isUuid)
    if (wanted.length === 0) return new Map()
    const rows = await this.#database.orm
      .select({ id: moderationCase.id, content: moderationCase.content })
      .from(moderationCase)
      .where(and(inArray(moderationCase.id, wanted), eq(moderationCase.state, 'open'), isNotNull(moderationCase.content)))
    return new Map(rows.map(({ id, content }) => [id, content]))
  }

  /** Returns the latest reports of each case, at most `limit` each. */
  async reportsOf(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly StoredReport[]>> {
    const { caseId, reason, note, at } = expressionReport
    const latest = this.#database.orm
      .select({ caseId, reason, note, at, place: sql<string>`row_number() over (partition by ${caseId} order by ${at} desc)`.as('place') })
      .from(expressionReport)
      .where(inArray(caseId, [...ids]))
      .as('latest')
    const rows = await this.#database.orm
      .select()
      .from(latest)
      .where(lte(latest.place, String(limit)))
      .orderBy(desc(latest.at))
    return Map.groupBy(rows, (row) => row.caseId)
  }

  /** Deletes cases whose time has ended, and flags of expressions that were never stored. */
  async removeExpired(): Promise<void> {
    await this.#database.orm.delete(moderationCase).where(
      or(
        lt(moderationCase.eraseAt, sql`now()`),
        sql`${moderationCase.state} = 'open' and ${moderationCase.content} is null and ${moderationCase.openedAt} < now() - interval '3 days'
          and not exists (select 1 from ${expression} e where e.id = ${moderationCase.id})`,
      ),
    )
  }

  async #rows(condition: SQL | undefined, order: readonly SQL[], limit: number): Promise<readonly ModerationCaseRow[]> {
    const { id, state, openedAt, toxicity, reports, reason, note, subject, decidedAt, eraseAt, content } = moderationCase
    return this.#database.orm
      .select({
        ...{ id, state, openedAt, toxicity, reports, reason, note, subject, decidedAt, eraseAt, content },
        enrichment: sql<unknown>`case when ${isPublic} then ${expression.enrichment} end`,
      })
      .from(moderationCase)
      .leftJoin(expression, eq(expression.id, id))
      .where(condition)
      .orderBy(...order)
      .limit(limit)
  }

  async #count(condition: SQL | undefined): Promise<number> {
    const [row] = await this.#database.orm
      .select({ count: sql<string>`count(*)` })
      .from(moderationCase)
      .leftJoin(expression, eq(expression.id, moderationCase.id))
      .where(condition)
    return Number(row?.count ?? 0)
  }
}

const now = sql`date_trunc('milliseconds', now())`
const undecided = { reason: null, note: null, issuer: null, subject: null, decidedAt: null, eraseAt: null }
const published = { content: null, author: null, unverifiedAuthor: null }
const isPublic = and(isNotNull(expression.id), isNull(expression.withdrawnAt))
/** A flag without an expression is of one that is still being written. */
const isOpen = and(eq(moderationCase.state, 'open'), or(isNotNull(moderationCase.content), isPublic))
const isDecided = (states: readonly CaseState[] | undefined): SQL | undefined =>
  and(ne(moderationCase.state, 'open'), states && inArray(moderationCase.state, [...states]))

function conditions({ isHeld, cause, reason }: QueueFilter): readonly (SQL | undefined)[] {
  const { content, reports, toxicity, id } = moderationCase
  return [
    isHeld === undefined ? undefined : isHeld ? isNotNull(content) : isNull(content),
    cause === undefined ? undefined : cause === 'reported' ? sql`${reports} > 0` : isNotNull(toxicity),
    reason === undefined ? undefined : sql`exists (select 1 from ${expressionReport} r where r.case_id = ${id} and r.reason = ${reason})`,
  ]
}

const withheldColumns = ({ content, author, unverifiedAuthor }: Omit<WithheldExpression, 'id'>) => ({
  content,
  author: author === null ? null : Buffer.from(author, 'hex'),
  unverifiedAuthor: unverifiedAuthor === null ? null : Buffer.from(unverifiedAuthor, 'hex'),
})

class IdInUse extends Error {}

const unknownExpression = (): NotFound => new NotFound('Expression not found')
const alreadyWithdrawn = (): Fault => new Fault('CONFLICT', 'This expression has already been withdrawn')
const erased = (): Fault => new Fault('CONFLICT', 'The text of this case was erased and cannot be published')

interface LockedCase {
  readonly content: unknown
}

async function lockedCase(tx: Transaction, id: string) {
  const [row] = isUuid(id) ? await tx.select().from(moderationCase).where(eq(moderationCase.id, id)).for('update') : []
  if (row !== undefined) return row
  const isErased = isUuid(id) && (await tx.$count(expression, and(eq(expression.id, id), isNotNull(expression.withdrawnAt)))) > 0
  throw isErased ? erased() : new NotFound('Case not found')
}

async function openCase(tx: Transaction, id: string): Promise<LockedCase> {
  const { state, subject, decidedAt, content } = await lockedCase(tx, id)
  if (state === 'open') return { content }
  throw new Fault('CONFLICT', `This case has already been decided: ${state} by ${subject ?? 'an operator'} at ${decidedAt?.toISOString()}`)
}

async function withdrawnCase(tx: Transaction, id: string): Promise<LockedCase> {
  const { state, content, eraseAt } = await lockedCase(tx, id)
  if (eraseAt !== null && eraseAt.getTime() <= Date.now()) throw erased()
  if (state === 'withdrawn') return { content }
  throw new Fault('CONFLICT', `This expression is not withdrawn: its case is ${state}`)
}

async function withheldContent(tx: Transaction, id: string, from: 'open' | 'withdrawn'): Promise<unknown> {
  const { content } = from === 'open' ? await openCase(tx, id) : await withdrawnCase(tx, id)
  if (content !== null) return content
  throw from === 'open' ? new Fault('CONFLICT', 'This text is public: leave it or withdraw it') : erased()
}

async function decide(
  tx: Transaction,
  id: string,
  state: CaseState,
  { issuer, subject, reason, note, eraseAt }: CaseDecision,
): Promise<void> {
  await tx.update(moderationCase).set({ state, issuer, subject, reason, note, eraseAt, decidedAt: now }).where(eq(moderationCase.id, id))
}
