import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from '../relational/drizzle.ts'
import type { AnalyticsChange } from './analytics-change.ts'
import { type AnalyticsStore, maxUnverifiedIds, votesTopic } from './analytics-store.ts'
import { votedEvent } from './postgres-ballots.ts'
import { recordOf } from './postgres-expressions.ts'
import { removeVotes } from './postgres-votes.ts'
import { expression, expressionReport, moderationCase, vote, withheldVote } from './tables.ts'
import { forgetIdentities, reserve, withdraw } from './withdraw-expressions.ts'

type PersonalData<Enrichment> = Pick<
  AnalyticsStore<Enrichment>,
  | 'countOfPeople'
  | 'expressionsOfAuthors'
  | 'votesOfVoters'
  | 'withheldVotesOfVoters'
  | 'withdrawOfAuthors'
  | 'deleteVotesOf'
  | 'countReports'
  | 'withheldOfAuthors'
  | 'reportsOfReporters'
  | 'deleteReportsOf'
>
const bytesOf = (pseudonyms: readonly string[]): Buffer[] => pseudonyms.map((each) => Buffer.from(each, 'hex'))

/** as in the index expression_person */
const person = sql`coalesce(${expression.author}, ${expression.unverifiedAuthor})`
/** one parameter for each pseudonym, since the driver has no arrays of bytes */
const listOf = (pseudonyms: readonly string[]): SQL =>
  sql.join(
    bytesOf(pseudonyms).map((each) => sql`${each}`),
    sql`, `,
  )
const writtenBy = (authors: readonly string[]) => and(sql`${person} in (${listOf(authors)})`, isNull(expression.withdrawnAt))

/** withheld expressions, as in the index moderation_case_person */
const withheldPerson = sql`coalesce(${moderationCase.author}, ${moderationCase.unverifiedAuthor})`
const withheldOf = (authors: readonly string[]) => and(sql`${withheldPerson} in (${listOf(authors)})`, isNotNull(moderationCase.content))

/** Deletes the verified withheld expressions of authors. @returns their ids */
async function deleteWithheld(tx: Transaction, authors: readonly string[]): Promise<string[]> {
  if (authors.length === 0) return []
  const rows = await tx
    .delete(moderationCase)
    .where(and(withheldOf(authors), isNotNull(moderationCase.author)))
    .returning({ id: moderationCase.id })
  return rows.map(({ id }) => id)
}

type Deletions = 'deleteReportsOf' | 'withdrawOfAuthors' | 'deleteVotesOf'

/** Expressions and votes by the pseudonyms of people. */
export const personalDataOf = <Enrichment>(database: Database, change: AnalyticsChange): PersonalData<Enrichment> => ({
  ...recordsOfPeople<Enrichment>(database),
  ...deletionsOf(change),
})

function recordsOfPeople<Enrichment>({ orm }: Database): Omit<PersonalData<Enrichment>, Deletions> {
  return {
    async countOfPeople({ authors, voters }) {
      const unverified = and(writtenBy(authors), isNotNull(expression.unverifiedAuthor))
      const verifiedVotes = (isVerified: boolean) => and(inArray(vote.voter, bytesOf(voters)), eq(vote.isVerified, isVerified))
      const [expressions, unverifiedExpressions, expressionIds] =
        authors.length === 0
          ? [0, 0, []]
          : await Promise.all([
              orm.$count(expression, and(writtenBy(authors), isNotNull(expression.author))),
              orm.$count(expression, unverified),
              orm.select({ id: expression.id }).from(expression).where(unverified).orderBy(asc(expression.id)).limit(maxUnverifiedIds),
            ])
      const [withheld, unverifiedWithheld] =
        authors.length === 0
          ? [0, []]
          : await Promise.all([
              orm.$count(moderationCase, and(withheldOf(authors), isNotNull(moderationCase.author))),
              orm
                .select({ id: moderationCase.id })
                .from(moderationCase)
                .where(and(withheldOf(authors), isNull(moderationCase.author)))
                .orderBy(asc(moderationCase.id)),
            ])
      const [votes, unverifiedVotes, voteIds] =
        voters.length === 0
          ? [0, 0, []]
          : await Promise.all([
              orm.$count(vote, verifiedVotes(true)),
              orm.$count(vote, verifiedVotes(false)),
              orm
                .selectDistinct({ id: vote.expressionId })
                .from(vote)
                .where(verifiedVotes(false))
                .orderBy(asc(vote.expressionId))
                .limit(maxUnverifiedIds),
            ])
      return {
        expressions: expressions + withheld,
        unverifiedExpressions: unverifiedExpressions + unverifiedWithheld.length,
        unverifiedExpressionIds: [...unverifiedWithheld, ...expressionIds].map(({ id }) => id).slice(0, maxUnverifiedIds),
        votes,
        unverifiedVotes,
        unverifiedVoteIds: voteIds.map(({ id }) => id),
      }
    },
    async expressionsOfAuthors(authors, after, limit) {
      if (authors.length === 0) return []
      const rows = await orm
        .select()
        .from(expression)
        .where(and(writtenBy(authors), after === undefined ? undefined : gt(expression.id, after)))
        .orderBy(asc(expression.id))
        .limit(limit)
      return rows.map((row) => recordOf<Enrichment>(row))
    },
    async countReports(reporters) {
      return reporters.length === 0 ? 0 : orm.$count(expressionReport, inArray(expressionReport.reporter, bytesOf(reporters)))
    },
    async withheldOfAuthors(authors) {
      if (authors.length === 0) return []
      const { id, content, author } = moderationCase
      const rows = await orm.select({ id, content, author }).from(moderationCase).where(withheldOf(authors)).orderBy(asc(id))
      return rows.map((row) => ({ id: row.id, content: row.content, isVerified: row.author !== null }))
    },
    async reportsOfReporters(reporters) {
      if (reporters.length === 0) return []
      const { caseId, reason, note, at } = expressionReport
      return orm
        .select({ expressionId: caseId, reason, note, at })
        .from(expressionReport)
        .where(inArray(expressionReport.reporter, bytesOf(reporters)))
        .orderBy(asc(caseId))
    },
    async withheldVotesOfVoters(voters) {
      if (voters.length === 0) return []
      const rows = await orm
        .select()
        .from(withheldVote)
        .where(inArray(withheldVote.voter, bytesOf(voters)))
        .orderBy(asc(withheldVote.caseId), asc(withheldVote.voter))
      return rows.map(({ caseId, voter, ...row }) => ({ ...row, expressionId: caseId, voter: voter.toString('hex') }))
    },
    async votesOfVoters(voters, after, limit) {
      if (voters.length === 0) return []
      const [expressionId = '', voter = ''] = after?.split('/') ?? []
      const rows = await orm
        .select()
        .from(vote)
        .where(
          and(
            inArray(vote.voter, bytesOf(voters)),
            after === undefined
              ? undefined
              : sql`(${vote.expressionId}, ${vote.voter}) > (${expressionId}::uuid, ${Buffer.from(voter, 'hex')})`,
          ),
        )
        .orderBy(asc(vote.expressionId), asc(vote.voter))
        .limit(limit)
      return rows.map((row) => ({ ...row, voter: row.voter.toString('hex') }))
    },
  }
}

function deletionsOf(change: AnalyticsChange): Pick<PersonalData<unknown>, Deletions> {
  return {
    async deleteReportsOf(tx, reporters) {
      if (reporters.length === 0) return 0
      const deleted = await tx
        .delete(expressionReport)
        .where(inArray(expressionReport.reporter, bytesOf(reporters)))
        .returning({ id: expressionReport.caseId })
      const ids = [...new Set(deleted.map(({ id }) => id))]
      if (ids.length > 0) {
        await tx
          .update(moderationCase)
          .set({ reports: sql`(select count(*) from ${expressionReport} r where r.case_id = ${moderationCase.id})` })
          .where(inArray(moderationCase.id, ids))
        // nothing is left to decide
        await tx
          .delete(moderationCase)
          .where(
            and(
              inArray(moderationCase.id, ids),
              eq(moderationCase.state, 'open'),
              eq(moderationCase.reports, 0),
              isNull(moderationCase.toxicity),
              isNull(moderationCase.content),
            ),
          )
      }
      return deleted.length
    },
    async withdrawOfAuthors(authors, { limit, unwritten }, record) {
      await change(async (tx) => {
        await reserve(tx, unwritten)
        // first: waits for a release or restoration in progress, whose expression is then found below
        const withheld = await deleteWithheld(tx, authors)
        const rows =
          authors.length === 0
            ? []
            : await tx
                .select({ id: expression.id })
                .from(expression)
                .where(and(writtenBy(authors), isNotNull(expression.author)))
                .orderBy(asc(expression.id))
                .limit(limit)
                .for('update')
        // again: withdrawn while this transaction waited
        withheld.push(...(await deleteWithheld(tx, authors)))
        await forgetIdentities(tx, withheld)
        const withdrawn = await withdraw(tx, [...new Set([...unwritten, ...rows.map(({ id }) => id)])])
        await record(tx, [...new Set([...withdrawn, ...withheld])], rows.length < limit)
        return { result: undefined, events: withdrawn.map((id) => ({ kind: 'expression_withdrawn', id })) }
      })
    },
    async deleteVotesOf(voters, limit, record) {
      await change(async (tx) => {
        const deleteWithheldVotes = async (): Promise<void> => {
          if (voters.length > 0) await tx.delete(withheldVote).where(inArray(withheldVote.voter, bytesOf(voters)))
        }
        // first: waits for a restoration in progress, whose votes are then found below
        await deleteWithheldVotes()
        const rows =
          voters.length === 0
            ? []
            : await tx
                .select({ expressionId: vote.expressionId, voter: vote.voter, value: vote.value })
                .from(vote)
                .where(and(inArray(vote.voter, bytesOf(voters)), vote.isVerified))
                .orderBy(asc(vote.expressionId), asc(vote.voter))
                .limit(limit)
                .for('update')
        // again: withdrawn while this transaction waited
        await deleteWithheldVotes()
        const votes = rows.map((row) => ({ ...row, voter: row.voter.toString('hex') }))
        await removeVotes(tx, votes)
        await record(tx, rows.length, rows.length < limit)
        const change = { to: null, wasVerified: true, isVerified: null }
        return {
          result: undefined,
          topic: votesTopic,
          events: votes.map(({ expressionId, voter, value }) => votedEvent(expressionId, { ...change, voter, from: value })),
        }
      })
    },
  }
}
