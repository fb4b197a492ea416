import type { Database, Transaction } from '../relational/database.ts'
import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from '../relational/drizzle.ts'
import { type AnalyticsEventKind, type AnalyticsStore, maxUnverifiedIds } from './analytics-store.ts'
import { recordOf } from './postgres-expressions.ts'
import { expression, vote } from './tables.ts'
import { reserve, withdraw } from './withdraw-expressions.ts'

type PersonalData<Enrichment> = Pick<
  AnalyticsStore<Enrichment>,
  'countOfPeople' | 'expressionsOfAuthors' | 'votesOfVoters' | 'withdrawOfAuthors' | 'deleteVotesOf'
>
/** Runs a transaction and appends its events to the feed. */
type Write = (
  work: (
    tx: Transaction,
  ) => Promise<{ readonly events: readonly { readonly kind: AnalyticsEventKind; readonly id: string }[]; readonly result: undefined }>,
) => Promise<undefined>

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

/** Expressions and votes by the pseudonyms of people. */
export function personalDataOf<Enrichment>(database: Database, change: Write): PersonalData<Enrichment> {
  const { orm } = database
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
        expressions,
        unverifiedExpressions,
        unverifiedExpressionIds: expressionIds.map(({ id }) => id),
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
    async withdrawOfAuthors(authors, { limit, unwritten }, record) {
      await change(async (tx) => {
        await reserve(tx, unwritten)
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
        const gone = await withdraw(tx, [...new Set([...unwritten, ...rows.map(({ id }) => id)])])
        await record(tx, gone, rows.length < limit)
        return { result: undefined, events: gone.map((id) => ({ kind: 'expression_withdrawn', id })) }
      })
    },
    async deleteVotesOf(voters, limit, record) {
      await change(async (tx) => {
        const rows =
          voters.length === 0
            ? []
            : await tx
                .select({ expressionId: vote.expressionId, voter: vote.voter })
                .from(vote)
                .where(and(inArray(vote.voter, bytesOf(voters)), vote.isVerified))
                .orderBy(asc(vote.expressionId), asc(vote.voter))
                .limit(limit)
                .for('update')
        const ids = [...new Set(rows.map(({ expressionId }) => expressionId))]
        if (rows.length > 0)
          await tx.delete(vote).where(
            sql`(${vote.expressionId}, ${vote.voter}) in (${sql.join(
              rows.map((row) => sql`(${row.expressionId}::uuid, ${row.voter})`),
              sql`, `,
            )})`,
          )
        await record(tx, rows.length, rows.length < limit)
        return { result: undefined, events: ids.map((id) => ({ kind: 'expression_voted', id })) }
      })
    },
  }
}
