import { isUuid } from '../../foundation/validation/values.ts'
import type { EventFeed } from '../event-feed/event-feed.ts'
import type { Database } from '../relational/database.ts'
import { and, asc, count, eq, inArray, isNull, sql } from '../relational/drizzle.ts'
import { keyset } from '../relational/keyset.ts'
import { QueryRefused } from '../relational/query-errors.ts'
import { analyticsChange } from './analytics-change.ts'
import type { AnalyticsStore } from './analytics-store.ts'
import { BallotBox } from './postgres-ballots.ts'
import { correctedExpressions, correctionCounts, countCorrections, scanExpressions } from './postgres-classified-expressions.ts'
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
import { countVotes, votesOf } from './postgres-votes.ts'
import { expression, expressionDeadLetter } from './tables.ts'
import { reserve, withdraw } from './withdraw-expressions.ts'

/** Stores analytics in PostgreSQL tables; ids that are not UUIDs never match. */
export function postgresAnalyticsStore<Enrichment>(engines: {
  readonly database: Database
  readonly feed: EventFeed
}): AnalyticsStore<Enrichment> {
  const { database, feed } = engines
  const change = analyticsChange(engines)
  const ballots = new BallotBox(database, feed)
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
    correctionCounts: () => correctionCounts(database),
    summariseExpressions: (after, limit) => summariseExpressions(database, after, limit),
    versionsOfExpressions: (after, upTo) => versionsOfExpressions(database, after, upTo),
    async withdrawExpression(id, { evenUnwritten = false, window } = {}) {
      if (!isUuid(id)) return false
      return change(async (tx) => {
        if (evenUnwritten) await reserve(tx, [id])
        const withdrawn = await withdraw(tx, [id])
        return { result: withdrawn.length > 0, events: withdrawn.map((each) => ({ kind: 'expression_withdrawn', id: each })) }
      }, window)
    },
    ...personalDataOf(database, change),
    castVote: (expressionId, voter, value, deadline) => ballots.cast({ expressionId, voter, value }, deadline),
    castPublicVote: (expressionId, voter, value, allowance, deadline) => ballots.cast({ expressionId, voter, value, allowance }, deadline),
    get oldestVoteWaitMs() {
      return ballots.oldestWaitMs
    },
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
