import { type CommitWindow, combinedWindow, type Deadline } from '../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../foundation/concurrency/group-commit.ts'
import { type Fault, NotFound } from '../../foundation/fault.ts'
import { isUuid } from '../../foundation/validation/values.ts'
import type { EventFeed, NewEvent } from '../event-feed/event-feed.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { sql } from '../relational/drizzle.ts'
import { type AnalyticsEventKind, type PublicVoterAllowance, type VoteValue, votePlace, votesTopic } from './analytics-store.ts'
import type { VoteChange } from './countable-expressions.ts'
import { admitPublicVoters, type PublicVoter, removeVotes } from './postgres-votes.ts'
import { expression, vote } from './tables.ts'

/** A vote to cast. */
export interface Ballot {
  readonly expressionId: string
  /** HMAC in hex */
  readonly voter: string
  readonly value: VoteValue
  /** present for an unverified vote */
  readonly allowance?: PublicVoterAllowance
}

interface QueuedBallot extends Ballot {
  readonly deadline: Deadline | undefined
  /** set when its group is written: whether the expression exists, or a refusal */
  outcome: boolean | Fault
}

/** maximum number of votes in a transaction */
const maxGroup = 500
/** attempts to write a group that races with votes of the same voters in other processes */
const maxAttempts = 5

/** The votes that gather while a group is written are the next group: one statement and one append of events each. */
export class BallotBox {
  readonly #database: Database
  readonly #feed: EventFeed
  readonly #groups: GroupCommit<QueuedBallot>

  constructor(database: Database, feed: EventFeed) {
    this.#database = database
    this.#feed = feed
    this.#groups = new GroupCommit({ maxWeight: maxGroup, write: (ballots) => this.#write(ballots) })
  }

  /** Returns how long the oldest vote has waited for its group, ms. */
  get oldestWaitMs(): number {
    return this.#groups.oldestWaitMs
  }

  /** @returns false if the expression does not exist @throws {Fault} RATE_LIMITED beyond the allowance @throws {DeadlineExceeded} */
  async cast(ballot: Ballot, deadline?: Deadline): Promise<boolean> {
    if (!isUuid(ballot.expressionId)) return false
    const queued: QueuedBallot = { ...ballot, deadline, outcome: false }
    await this.#groups.add([queued], deadline)
    if (typeof queued.outcome !== 'boolean') throw queued.outcome
    return queued.outcome
  }

  async #write(ballots: readonly QueuedBallot[]): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#writeOnce(ballots)
      } catch (error) {
        if (error instanceof NotFound) return
        if (!(error instanceof Overtaken) || attempt === maxAttempts) throw error
      }
  }

  async #writeOnce(ballots: readonly QueuedBallot[]): Promise<void> {
    for (const ballot of ballots) ballot.outcome = false
    const deadlines = (some: readonly QueuedBallot[]) => combinedWindow(some.flatMap(({ deadline }) => deadline ?? []))
    const all = deadlines(ballots)
    const window: CommitWindow = {
      get remainingMs() {
        return all.remainingMs
      },
      get patienceMs() {
        return all.patienceMs
      },
      // nothing is committed for the others
      commit: (work) => deadlines(ballots.filter(({ outcome }) => outcome === true)).commit(work),
    }
    const position = await this.#database.transaction(async (tx) => {
      const events = await castBallots(tx, ballots)
      return events.length === 0 ? undefined : this.#feed.append(tx, votesTopic, events)
    }, window)
    if (position !== undefined) this.#feed.announce(votesTopic, position)
  }
}

/** Another process has cast a vote of the same voter since the group read it. */
class Overtaken extends Error {
  constructor() {
    super('a concurrent vote of the same voter was written first')
    this.name = 'Overtaken'
  }
}

interface CastRow extends Record<string, unknown> {
  readonly n: number
  readonly isKnown: boolean
  /** null: the vote was the same */
  readonly isNew: boolean | null
  readonly from: VoteValue | null
  readonly wasVerified: boolean | null
}

/**
 * Stores the votes and their outcomes. @returns the events of the changes
 * @throws {NotFound} if none was cast: an empty commit would make the outcome of the requests unknown @throws {Overtaken}
 */
async function castBallots(tx: Transaction, ballots: readonly QueuedBallot[]): Promise<readonly NewEvent[]> {
  // of several votes of a voter on an expression, the last one counts
  const last = [...new Map(ballots.map((ballot) => [votePlace(ballot), ballot])).values()]
  const rows = await upsertVotes(tx, last)
  const voters: PublicVoter[] = []
  for (const { n, isKnown, isNew, from } of rows) {
    const ballot = last[n]
    if (ballot === undefined) continue
    if (isNew === false && from === null) throw new Overtaken()
    ballot.outcome = isKnown
    if (isNew === true && from === null && ballot.allowance !== undefined) voters.push({ ...ballot, allowance: ballot.allowance })
  }
  const refusals = await admitPublicVoters(tx, voters)
  const refused = last.filter((ballot) => refusals.has(votePlace(ballot)))
  await removeVotes(tx, refused)
  for (const ballot of refused) ballot.outcome = refusals.get(votePlace(ballot)) ?? false
  const outcomes = new Map(last.map((ballot) => [votePlace(ballot), ballot.outcome]))
  for (const ballot of ballots) ballot.outcome = outcomes.get(votePlace(ballot)) ?? false
  if (!ballots.some(({ outcome }) => outcome === true)) throw new NotFound('Expression not found')
  return rows.flatMap(({ n, isNew, from, wasVerified }) => {
    const ballot = last[n]
    if (ballot?.outcome !== true || isNew === null) return []
    const { expressionId, voter, value, allowance } = ballot
    return [votedEvent(expressionId, { voter, from, to: value, wasVerified, isVerified: allowance === undefined })]
  })
}

/** Returns the event of a changed vote, with its old and its new value. */
export const votedEvent = (expressionId: string, change: VoteChange): NewEvent & { readonly kind: AnalyticsEventKind } => ({
  kind: 'expression_voted',
  id: expressionId,
  detail: JSON.stringify(change),
})

/**
 * One statement. Rows are locked and written in the order of ids, so that concurrent groups wait instead of deadlocking; the sort completes all reads
 * before the first write.
 */
async function upsertVotes(tx: Transaction, ballots: readonly Ballot[]): Promise<readonly CastRow[]> {
  const input = ballots.map(({ expressionId, voter, value, allowance }, n) => ({
    ...{ n, id: expressionId, voter, value },
    verified: allowance === undefined,
  }))
  const ids = sql.param([...new Set(ballots.map(({ expressionId }) => expressionId))])
  const { rows } = await tx.execute<CastRow>(sql`
    with input as materialized (
      select n, id, decode(voter, 'hex') as voter, value, verified
      from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as r(n int, id uuid, voter text, value text, verified boolean)
    ), known as materialized (
      select id from ${expression} where id = any(${ids}::uuid[]) and withdrawn_at is null order by id for share
    ), former as materialized (
      select v.expression_id, v.voter, v.value, v.verified from ${vote} v
      where (v.expression_id, v.voter) in (select i.id, i.voter from input i join known using (id))
      order by v.expression_id, v.voter for update
    ), written as (
      insert into ${vote} as v (expression_id, voter, value, verified)
      select i.id, i.voter, i.value, i.verified
      from input i join known using (id) left join former f on f.expression_id = i.id and f.voter = i.voter
      where f.value is null or f.value <> i.value or f.verified <> i.verified
      order by i.id, i.voter
      on conflict (expression_id, voter) do update set value = excluded.value, verified = excluded.verified, at = now()
      returning v.expression_id, v.voter, (v.xmax = 0) as is_new
    )
    select i.n, k.id is not null as "isKnown", w.is_new as "isNew", f.value as "from", f.verified as "wasVerified"
    from input i left join known k on k.id = i.id
      left join former f on f.expression_id = i.id and f.voter = i.voter
      left join written w on w.expression_id = i.id and w.voter = i.voter
    order by i.n`)
  return rows
}
