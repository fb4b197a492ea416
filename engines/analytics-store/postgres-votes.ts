import { Fault } from '../../foundation/fault.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { and, eq, inArray, sql } from '../relational/drizzle.ts'
import { type ClassedVoteCounts, type PublicVoterAllowance, type VoteName, type VoteValue, votePlace } from './analytics-store.ts'
import { publicVoterCount, vote, voteCount } from './tables.ts'

/** Reads the stored counts, which triggers of `vote` maintain. */
export async function countVotes(database: Database, expressionIds: readonly string[]): Promise<ReadonlyMap<string, ClassedVoteCounts>> {
  if (expressionIds.length === 0) return new Map()
  const rows = await database.orm
    .select()
    .from(voteCount)
    .where(inArray(voteCount.expressionId, [...expressionIds]))
  return new Map(
    rows.flatMap(({ expressionId, agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass }) => {
      const unverified = { agree: unverifiedAgree, disagree: unverifiedDisagree, pass: unverifiedPass }
      const isVoted = [agree, disagree, pass, ...Object.values(unverified)].some((count) => count > 0)
      return isVoted ? [[expressionId, { agree, disagree, pass, unverified }]] : []
    }),
  )
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

/** A voter whose first unverified vote was just stored, with the allowance of its network. */
export interface PublicVoter extends VoteName {
  readonly allowance: PublicVoterAllowance
}

/**
 * Counts new voters in the allowances of their networks, in the given order. @returns the refusals of those beyond an allowance, by
 * `expressionId/voter`: their votes must not remain
 */
export async function admitPublicVoters(tx: Transaction, voters: readonly PublicVoter[]): Promise<ReadonlyMap<string, Fault>> {
  const refusals = new Map<string, Fault>()
  if (voters.length === 0) return refusals
  const counts = await lockVoterCounts(
    tx,
    voters.flatMap(({ expressionId, allowance: { day, address } }) => [
      { day, address, expression: null },
      { day, address, expression: expressionId },
    ]),
  )
  const changed = new Map<string, VoterCount>()
  for (const { expressionId, voter, allowance } of voters) {
    const { day, address, perExpression, perDay } = allowance
    const ofDay = counts.get(countName({ day, address, expression: null }))
    const ofExpression = counts.get(countName({ day, address, expression: expressionId }))
    if (ofDay === undefined || ofExpression === undefined) throw new Error('a count of public voters was not stored')
    const refusal =
      ofDay.voters >= perDay
        ? `At most ${perDay} new votes a day are accepted from this network without signing in`
        : ofExpression.voters >= perExpression
          ? `At most ${perExpression} votes a day on one expression are accepted from this network without signing in`
          : undefined
    if (refusal !== undefined) {
      const untilMs = Date.parse(`${day}T00:00:00Z`) + 86_400_000 - Date.now()
      refusals.set(votePlace({ expressionId, voter }), new Fault('RATE_LIMITED', refusal, { retryAfterMs: Math.max(1000, untilMs) }))
      continue
    }
    for (const count of [ofDay, ofExpression]) {
      count.voters++
      changed.set(countName(count), count)
    }
  }
  if (changed.size > 0) await writeVoterCounts(tx, [...changed.values()])
  return refusals
}

interface VoterCountName {
  /** UTC, such as 2026-11-27 */
  readonly day: string
  /** HMAC in hex */
  readonly address: string
  /** null: all expressions together */
  readonly expression: string | null
}

interface VoterCount extends VoterCountName {
  voters: number
}

const countName = ({ day, address, expression }: VoterCountName): string => `${day} ${address} ${expression ?? ''}`
const countRows = (rows: readonly object[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(day date, address text, expression uuid, voters int)`

/** Locks these counts until the end of the transaction, in one order for every caller, so that two of a network wait instead of deadlocking. */
async function lockVoterCounts(tx: Transaction, names: readonly VoterCountName[]): Promise<Map<string, VoterCount>> {
  const distinct = [...new Map(names.map((name) => [countName(name), name])).values()]
  const { rows } = await tx.execute<VoterCount & Record<string, unknown>>(sql`
    insert into ${publicVoterCount} as c (day, address, expression_id, voters)
    select day, decode(address, 'hex') as address, expression, 0 from ${countRows(distinct)} order by day, address, expression nulls first
    on conflict (day, address, expression_id) do update set voters = c.voters
    returning to_char(day, 'YYYY-MM-DD') as day, encode(address, 'hex') as address, expression_id as expression, voters`)
  return new Map(rows.map((row) => [countName(row), row]))
}

/** The counts are locked. */
const writeVoterCounts = (tx: Transaction, counts: readonly VoterCount[]) =>
  tx.execute(sql`
    insert into ${publicVoterCount} (day, address, expression_id, voters)
    select day, decode(address, 'hex'), expression, voters from ${countRows(counts)}
    on conflict (day, address, expression_id) do update set voters = excluded.voters`)

export async function removeVotes(tx: Transaction, votes: readonly VoteName[]): Promise<void> {
  if (votes.length === 0) return
  const rows = JSON.stringify(votes.map(({ expressionId, voter }) => ({ id: expressionId, voter })))
  await tx.execute(sql`
    delete from ${vote} v using jsonb_to_recordset(${rows}::jsonb) as r(id uuid, voter text)
    where v.expression_id = r.id and v.voter = decode(r.voter, 'hex')`)
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

/** Deletes the votes on expressions with their counts, and the counts of their voters. */
export async function eraseVotes(tx: Transaction, expressionIds: readonly string[]): Promise<void> {
  await tx.delete(vote).where(inArray(vote.expressionId, [...expressionIds]))
  await tx.delete(voteCount).where(inArray(voteCount.expressionId, [...expressionIds]))
  await tx.delete(publicVoterCount).where(inArray(publicVoterCount.expressionId, [...expressionIds]))
}
