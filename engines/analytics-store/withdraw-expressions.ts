import type { Transaction } from '../relational/database.ts'
import { and, asc, inArray, isNotNull, isNull, sql } from '../relational/drizzle.ts'
import { eraseVotes } from './postgres-votes.ts'
import { expression, moderationCase, vote, withheldVote } from './tables.ts'

/** Reserves the ids of expressions that are not written yet, so that a withdrawal prevents their later write. */
export async function reserve(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insert(expression)
    .values(ids.map((id) => ({ id, ...erased })))
    .onConflictDoNothing()
}

/**
 * Erases expressions except their ids, with their moderation cases, which contain withheld texts.
 * @returns the ids of those that were not withdrawn before
 */
export async function withdraw(tx: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const cases = await tx
    .delete(moderationCase)
    .where(inArray(moderationCase.id, [...ids]))
    .returning({ id: moderationCase.id, content: moderationCase.content })
  await forgetIdentities(
    tx,
    cases.filter(({ content }) => content !== null).map(({ id }) => id),
  )
  return erase(tx, ids)
}

/** Erases the identities of withheld expressions: a trigger on the time of withdrawal deletes them. */
export async function forgetIdentities(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(expression)
      .set({ withdrawnAt: now })
      .where(and(inArray(expression.id, [...ids]), isNotNull(expression.withdrawnAt)))
}

/** As `withdraw`, but the moderation case stays, with the votes. @param id - an expression with a case that has its content */
export async function withhold(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`
    insert into ${withheldVote} (case_id, voter, value, verified, at)
    select expression_id, voter, value, verified, at from ${vote} where expression_id = ${id}`)
  await erase(tx, [id])
}

/** Reserves the id of an expression that was never public. @returns false if the id is in use */
export async function reserveWithheld(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .insert(expression)
    .values({ id, ...erased, withdrawnAt: now })
    .onConflictDoNothing()
    .returning({ id: expression.id })
  return rows.length > 0
}

async function erase(tx: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  // in the order of ids, as writers of votes and expressions lock them
  await tx
    .select({ id: expression.id })
    .from(expression)
    .where(inArray(expression.id, [...ids]))
    .orderBy(asc(expression.id))
    .for('update')
  const withdrawn = await tx
    .update(expression)
    .set({ ...erased, withdrawnAt: now })
    .where(and(inArray(expression.id, [...ids]), isNull(expression.withdrawnAt)))
    .returning({ id: expression.id })
  await eraseVotes(tx, ids)
  return withdrawn.map(({ id }) => id)
}

const now = sql`now()`
/** The values of a withdrawn expression: its id is retained, and every time is the time of withdrawal. */
const erased = {
  source: '',
  text: '',
  lang: 'und',
  externalId: null,
  author: null,
  unverifiedAuthor: null,
  domain: null,
  subDomain: null,
  sentiment: null,
  sentimentScore: null,
  lat: null,
  lon: null,
  enrichment: {},
  embedding: null,
  embeddingModel: null,
  contentDigest: '',
  createdAt: now,
  receivedAt: now,
}
