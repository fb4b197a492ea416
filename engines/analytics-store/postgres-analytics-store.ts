import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import { NotFound } from '../../foundation/fault.ts'
import { isUuid } from '../../foundation/validation/values.ts'
import type { EventFeed } from '../event-feed/event-feed.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, count, eq, inArray, isNull, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { QueryRefused } from '../relational/query-errors.ts'
import {
  type AnalyticsEventKind,
  type AnalyticsStore,
  analyticsTopic,
  type PublicVoterAllowance,
  type VoteValue,
} from './analytics-store.ts'
import { correctedExpressions, countCorrections, scanExpressions } from './postgres-classified-expressions.ts'
import {
  findExpressions,
  pageOfExpressions,
  publicExpressions,
  summariseExpressions,
  upsertExpressions,
  versionsOfExpressions,
} from './postgres-expressions.ts'
import { countNewest, countNewestOfDomains, newestExpressions, newestOfDomains } from './postgres-newest-expressions.ts'
import { personalDataOf } from './postgres-personal-data.ts'
import {
  countTaxonomyVersions,
  findDomains,
  readTaxonomy,
  refuseRetired,
  taxonomyContent,
  taxonomyVersions,
  writeTaxonomy,
} from './postgres-taxonomy.ts'
import { countPublicVoter, countVotes, upsertVote, votesOf } from './postgres-votes.ts'
import { expression, expressionDeadLetter } from './tables.ts'
import { reserve, withdraw } from './withdraw-expressions.ts'

interface Change<Result> {
  readonly events: readonly { readonly kind: AnalyticsEventKind; readonly id: string }[]
  readonly result: Result
}

/** Runs a transaction and appends its events to the feed. */
type Write = <Result>(work: (tx: Transaction) => Promise<Change<Result>>, window?: CommitWindow) => Promise<Result>

interface Ballot {
  readonly expressionId: string
  readonly voter: string
  readonly value: VoteValue
  /** present for an unverified vote */
  readonly allowance?: PublicVoterAllowance
  readonly window: CommitWindow | undefined
}

/** Stores a vote. @returns false if the expression does not exist */
async function castBallot(change: Write, { expressionId, voter, value, allowance, window }: Ballot): Promise<boolean> {
  if (!isUuid(expressionId)) return false
  const casting = change(async (tx) => {
    const [row] = await tx
      .select({ id: expression.id })
      .from(expression)
      .where(and(eq(expression.id, expressionId), isNull(expression.withdrawnAt)))
      .for('share')
    // rolls back: an empty commit would make the outcome of the request unknown
    if (row === undefined) throw new NotFound('There is no such expression')
    const outcome = await upsertVote(tx, { expressionId: row.id, voter, value, isVerified: allowance === undefined })
    if (outcome === 'new' && allowance !== undefined) await countPublicVoter(tx, row.id, allowance)
    return { result: true, events: outcome === 'same' ? [] : [{ kind: 'expression_voted' as const, id: row.id }] }
  }, window)
  return casting.catch((error: unknown) => {
    if (error instanceof NotFound) return false
    throw error
  })
}

/** Stores analytics in PostgreSQL tables; ids that are not UUIDs never match. */
export function postgresAnalyticsStore<Enrichment>(engines: {
  readonly database: Database
  readonly feed: EventFeed
}): AnalyticsStore<Enrichment> {
  const { database, feed } = engines
  const change: Write = async (work, window) => {
    const { result, position } = await database.transaction(async (tx) => {
      const { events, result } = await work(tx)
      return { result, position: events.length === 0 ? undefined : await feed.append(tx, analyticsTopic, events) }
    }, window)
    if (position !== undefined) feed.announce(analyticsTopic, position)
    return result
  }
  const cast = (ballot: Ballot): Promise<boolean> => castBallot(change, ballot)
  return {
    readTaxonomy: () => readTaxonomy(database.orm),
    findDomains: (ids) => findDomains(database, ids),
    publishTaxonomy: (publication, { window, within } = {}) =>
      change(async (tx) => {
        const { number, change: made, ids } = await writeTaxonomy(tx, publication)
        await within?.(tx, number)
        return { result: { number, change: made }, events: ids.map((id) => ({ kind: 'taxonomy_changed', id })) }
      }, window),
    taxonomyVersions: (window) => taxonomyVersions(database, window),
    countTaxonomyVersions: () => countTaxonomyVersions(database),
    taxonomyContent: (number) => taxonomyContent(database, number),
    saveExpressions: (records, window, { onlyCurrentDomains = false, onlyNewer = false } = {}) =>
      change(async (tx) => {
        if (onlyCurrentDomains) await refuseRetired(tx, records)
        const changed = records.length === 0 ? [] : await upsertExpressions(tx, records, { onlyNewer })
        const added = changed.filter((each) => each.added).length
        return {
          result: { added, updated: changed.length - added },
          events: changed.map((each) => ({ kind: each.added ? 'expression_added' : 'expression_updated', id: each.id })),
        }
      }, window),
    async adoptExpressions(records) {
      const adopt = (some: typeof records): Promise<readonly string[]> =>
        change(async (tx) => {
          const changed = some.length === 0 ? [] : await upsertExpressions(tx, some, { onlyNew: true })
          const ids = changed.map(({ id }) => id)
          return { result: ids, events: ids.map((id) => ({ kind: 'expression_added', id })) }
        })
      try {
        return await adopt(records)
      } catch (error) {
        if (!(error instanceof QueryRefused)) throw error
      }
      const adopted: string[] = []
      for (const record of records)
        adopted.push(
          ...(await adopt([record]).catch((error: unknown) => {
            if (error instanceof QueryRefused) return []
            throw error
          })),
        )
      return adopted
    },
    publicExpressions: (ids) => publicExpressions(database, ids.filter(isUuid)),
    findExpressions: (ids, onWithdrawn) => findExpressions(database, ids.filter(isUuid), onWithdrawn),
    pageOfExpressions: (after, limit) => pageOfExpressions(database, after, limit),
    newestExpressions: (page) => newestExpressions(database, page),
    newestOfDomains: (domains, page) => newestOfDomains(database, domains, page),
    countNewest: (filter) => countNewest(database, filter),
    countNewestOfDomains: (domains, filter) => countNewestOfDomains(database, domains, filter),
    async countExpressions() {
      const [row] = await database.orm.select({ count: count() }).from(expression).where(isNull(expression.withdrawnAt))
      return row?.count ?? 0
    },
    async expressionsFrom(source, limit) {
      const rows = await database.orm
        .select({ id: expression.id })
        .from(expression)
        .where(and(eq(expression.source, source), isNull(expression.withdrawnAt)))
        .limit(limit)
      return rows.map(({ id }) => id)
    },
    scanExpressions: (after, limit, conditions) => scanExpressions(database, after, limit, conditions),
    correctedExpressions: (window, domains) => correctedExpressions(database, window, domains),
    countCorrections: (domains) => countCorrections(database, domains),
    summariseExpressions: (after, limit) => summariseExpressions(database, after, limit),
    versionsOfExpressions: (after, upTo) => versionsOfExpressions(database, after, upTo),
    async withdrawExpression(id, { evenUnwritten = false, window } = {}) {
      if (!isUuid(id)) return false
      return change(async (tx) => {
        if (evenUnwritten) await reserve(tx, [id])
        const gone = await withdraw(tx, [id])
        return { result: gone.length > 0, events: gone.map((each) => ({ kind: 'expression_withdrawn', id: each })) }
      }, window)
    },
    ...personalDataOf(database, change),
    castVote: (expressionId, voter, value, window) => cast({ expressionId, voter, value, window }),
    castPublicVote: (expressionId, voter, value, allowance, window) => cast({ expressionId, voter, value, allowance, window }),
    countVotes: (expressionIds) => countVotes(database, expressionIds.filter(isUuid)),
    votesOf: (voter, expressionIds) => votesOf(database, voter, expressionIds.filter(isUuid)),
    ...deadLettersOf(database),
  }
}

/** The expressions that could not be analysed. */
function deadLettersOf(
  database: Database,
): Pick<
  AnalyticsStore<unknown>,
  'storeDeadLetters' | 'deadLetters' | 'pageOfDeadLetters' | 'findDeadLetters' | 'hasDeadLetter' | 'removeDeadLetters' | 'countDeadLetters'
> {
  return {
    async storeDeadLetters(letters) {
      const withdrawn = new Set<string>()
      await findExpressions(
        database,
        letters.map(({ id }) => id),
        (id) => withdrawn.add(id),
      )
      const remaining = letters.filter(({ id }) => !withdrawn.has(id))
      if (remaining.length === 0) return
      await database.orm
        .insert(expressionDeadLetter)
        .values(remaining.map((letter) => ({ ...letter })))
        .onConflictDoUpdate({
          target: expressionDeadLetter.id,
          set: { content: sql`excluded.content`, reason: sql`excluded.reason`, at: sql`now()` },
        })
    },
    async deadLetters(limit) {
      return database.orm
        .select()
        .from(expressionDeadLetter)
        .orderBy(asc(expressionDeadLetter.at), asc(expressionDeadLetter.id))
        .limit(limit)
    },
    async pageOfDeadLetters(window) {
      const { id, reason, at } = expressionDeadLetter
      const { past, order } = keyset([at, id], 'ascending', window, (place) => [place.at, place.id])
      return database.orm
        .select({ id, reason, at })
        .from(expressionDeadLetter)
        .where(past)
        .orderBy(...order)
        .limit(window.limit)
    },
    async findDeadLetters(ids) {
      const { id, content, reason, at } = expressionDeadLetter
      return database.orm
        .select({ id, content, reason, at })
        .from(expressionDeadLetter)
        .where(inArray(id, ids.filter(isUuid)))
    },
    async hasDeadLetter(id) {
      return isUuid(id) && (await database.orm.$count(expressionDeadLetter, eq(expressionDeadLetter.id, id))) > 0
    },
    async removeDeadLetters(ids) {
      if (ids.length > 0) await database.orm.delete(expressionDeadLetter).where(inArray(expressionDeadLetter.id, [...ids]))
    },
    async countDeadLetters() {
      const [row] = await database.orm.select({ count: count() }).from(expressionDeadLetter)
      return row?.count ?? 0
    },
  }
}
