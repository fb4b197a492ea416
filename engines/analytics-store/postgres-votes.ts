import { Fault } from '../../foundation/fault.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, count, eq, inArray, sql } from '../relational/drizzle.ts'
import type { ClassedVoteCounts, PublicVoterAllowance, VoteCounts, VoteValue } from './analytics-store.ts'
import { publicVoterCount, vote } from './tables.ts'

const noVotes: VoteCounts = { agree: 0, disagree: 0, pass: 0 }

export async function countVotes(database: Database, expressionIds: readonly string[]): Promise<ReadonlyMap<string, ClassedVoteCounts>> {
  const counts = new Map<string, ClassedVoteCounts>()
  if (expressionIds.length === 0) return counts
  const rows = await database.orm
    .select({ id: vote.expressionId, value: vote.value, isVerified: vote.isVerified, count: count() })
    .from(vote)
    .where(inArray(vote.expressionId, [...expressionIds]))
    .groupBy(vote.expressionId, vote.value, vote.isVerified)
  for (const { id, value, isVerified, count: votes } of rows) {
    const previous = counts.get(id) ?? { ...noVotes, unverified: noVotes }
    counts.set(id, isVerified ? { ...previous, [value]: votes } : { ...previous, unverified: { ...previous.unverified, [value]: votes } })
  }
  return counts
}

export async function votesOf(
  database: Database,
  voter: string,
  expressionIds: readonly string[],
): Promise<ReadonlyMap<string, VoteValue>> {
  if (expressionIds.length === 0) return new Map()
  const rows = await database.orm
    .select({ id: vote.expressionId, value: vote.value })
    .from(vote)
    .where(and(inArray(vote.expressionId, [...expressionIds]), eq(vote.voter, Buffer.from(voter, 'hex'))))
  return new Map(rows.map(({ id, value }) => [id, value]))
}

/** @returns whether the vote is new, changed (value or class) or unchanged */
export async function upsertVote(
  tx: Transaction,
  { expressionId, voter, value, isVerified }: { expressionId: string; voter: string; value: VoteValue; isVerified: boolean },
): Promise<'new' | 'changed' | 'same'> {
  const [row] = await tx
    .insert(vote)
    .values({ expressionId, voter: Buffer.from(voter, 'hex'), value, isVerified })
    .onConflictDoUpdate({
      target: [vote.expressionId, vote.voter],
      set: { value, isVerified, at: sql`now()` },
      setWhere: sql`${vote.value} <> ${value} or ${vote.isVerified} <> ${isVerified}`,
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  if (row === undefined) return 'same'
  return row.isNew ? 'new' : 'changed'
}

/** Counts a voter that an address has created. @throws {Fault} RATE_LIMITED beyond the allowance */
export async function countPublicVoter(tx: Transaction, expressionId: string, allowance: PublicVoterAllowance): Promise<void> {
  const { perExpression, perDay } = allowance
  // in this order for every caller, so that two transactions of an address wait for each other and never in a circle
  await countVoter(tx, null, allowance, perDay, `At most ${perDay} new votes a day are accepted from this network without signing in`)
  await countVoter(
    tx,
    expressionId,
    allowance,
    perExpression,
    `At most ${perExpression} votes a day on one expression are accepted from this network without signing in`,
  )
}

const removedAtOnce = 1000

/** Removes the counts of earlier days, also when no vote comes any more. */
export async function removeOldVoterCounts(database: Database, signal: AbortSignal): Promise<void> {
  let removed = removedAtOnce
  while (removed === removedAtOnce && !signal.aborted) {
    const { rowCount } = await database.orm.execute(sql`
      delete from ${publicVoterCount} where ctid = any(array(
        select ctid from ${publicVoterCount} where day < (now() at time zone 'UTC')::date limit ${removedAtOnce} for update skip locked))`)
    removed = rowCount ?? 0
  }
}

async function countVoter(
  tx: Transaction,
  expressionId: string | null,
  { day, address }: PublicVoterAllowance,
  limit: number,
  refusal: string,
): Promise<void> {
  const counted = await tx
    .insert(publicVoterCount)
    .values({ day, address: Buffer.from(address, 'hex'), expressionId, voters: 1 })
    .onConflictDoUpdate({
      target: [publicVoterCount.day, publicVoterCount.address, publicVoterCount.expressionId],
      set: { voters: sql`${publicVoterCount.voters} + 1` },
      setWhere: sql`${publicVoterCount.voters} < ${limit}`,
    })
    .returning({ voters: publicVoterCount.voters })
  if (counted.length > 0) return
  const untilMs = Date.parse(`${day}T00:00:00Z`) + 86_400_000 - Date.now()
  throw new Fault('RATE_LIMITED', refusal, { retryAfterMs: Math.max(1000, untilMs) })
}

/** Deletes the votes on expressions and the counts of their voters. */
export async function eraseVotes(tx: Transaction, expressionIds: readonly string[]): Promise<void> {
  await tx.delete(vote).where(inArray(vote.expressionId, [...expressionIds]))
  await tx.delete(publicVoterCount).where(inArray(publicVoterCount.expressionId, [...expressionIds]))
}
