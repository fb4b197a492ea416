import { type VoteName, votePlace } from '../../../engines/analytics-store/analytics-store.ts'
import type { CountableExpression, CountableExpressions, VoteChange } from '../../../engines/analytics-store/countable-expressions.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import type { Position } from '../../../foundation/filter/bounding-box.ts'
import { placeOfPosition } from '../geometry/world-grid.ts'
import { rollUpExpression, rollUpVote } from '../tables.ts'
import { CellChanges, type Countable } from './cell-changes.ts'
import { type CountedExpression, readCountedExpressions, readVoters } from './counted-expressions.ts'
import { anyDomain, ParticipantChanges } from './participant-changes.ts'
import { type KeyMembers, type NumberedKeys, numberKeys } from './roll-up-keys.ts'

/** The result of a change: whether something changed, and where on the map. */
export interface AppliedChanges {
  readonly changed: boolean
  readonly positions: readonly Position[]
}

/**
 * Updates the roll-ups to the current state of these expressions, regardless of the counted state; repeating it changes nothing.
 * The caller holds a lock on `roll_up`, so that one transaction at a time runs this.
 * @param expressions - current state  @param timezone - defines days
 * @param voted - expressions whose votes are compared one by one; those of new and of withdrawn expressions always are
 */
export async function applyChanges(
  tx: Transaction,
  expressions: CountableExpressions,
  ids: readonly string[],
  timezone: string,
  voted: ReadonlySet<string> = new Set(),
): Promise<AppliedChanges> {
  const counted = await readCountedExpressions(tx, ids)
  const current = await expressions.find(tx, ids, timezone)
  // votes on other expressions are counted by their own events
  const recounted = ids.filter((id) => !counted.has(id) || !current.has(id) || voted.has(id))
  const voteChanges = recounted.length === 0 ? noVoteChanges : await expressions.voteChanges(tx, recounted, sql`${rollUpVote}`)
  const keys = await numberKeys(tx, [...current.values()])
  const changes: Change[] = ids.flatMap((id) => {
    const [before, now] = [counted.get(id), current.get(id)]
    const change = { id, before, after: now && countedAs(now, keys.numberOf(now), before, voteChanges.get(id) ?? []) }
    return isSame(change.before, change.after) && !voteChanges.has(id) ? [] : [change]
  })
  return write(tx, changes, voteChanges, keys)
}

/**
 * Updates the roll-ups to the current state of these votes, regardless of the counted state; repeating it changes nothing. Votes on expressions that
 * are not counted are left to `applyChanges`. The caller holds the lock on `roll_up`.
 */
export async function applyVotes(tx: Transaction, expressions: CountableExpressions, votes: readonly VoteName[]): Promise<AppliedChanges> {
  const counted = await readCountedExpressions(tx, [...new Set(votes.map(({ expressionId }) => expressionId))])
  const open = new Map(votes.filter(({ expressionId }) => counted.has(expressionId)).map((vote) => [votePlace(vote), vote]))
  const voteChanges = await expressions.changesOfVotes(tx, [...open.values()], sql`${rollUpVote}`)
  const changes = [...voteChanges].flatMap(([id, votesOfOne]): readonly Change[] => {
    const before = counted.get(id)
    return before === undefined ? [] : [{ id, before, after: countedAs(before, before.key, before, votesOfOne) }]
  })
  return write(tx, changes, voteChanges, await numberKeys(tx, []))
}

/** Writes changes of expressions and votes, folded by cell. */
async function write(
  tx: Transaction,
  changes: readonly Change[],
  voteChanges: ReadonlyMap<string, readonly VoteChange[]>,
  keys: NumberedKeys,
): Promise<AppliedChanges> {
  if (changes.length === 0) return { changed: false, positions: [] }
  const cells = new CellChanges()
  const [voted, others] = [changes.filter(changesOnlyVotes), changes.filter((change) => !changesOnlyVotes(change))]
  for (const { before, after } of voted) cells.replaceVotes(before, after)
  for (const { before, after } of others) {
    if (before !== undefined) cells.add(before, -1)
    if (after !== undefined) cells.add(after, 1)
  }
  const domainsOf = ({ key }: Countable): readonly string[] => scopesOf(keys.membersOf(key))
  const people = await participantsOf(tx, changes, voteChanges, domainsOf)
  await writeExpressions(tx, others)
  await writeVoteSums(tx, voted)
  await writeVotes(tx, voteChanges)
  await people.write(tx)
  await cells.write(tx)
  return { changed: true, positions: changes.flatMap(({ before, after }) => [...positionOf(before), ...positionOf(after)]) }
}

interface Change {
  readonly id: string
  readonly before: CountedExpression | undefined
  readonly after: CountedExpression | undefined
}

const noVoteChanges: ReadonlyMap<string, readonly VoteChange[]> = new Map()

type VotedChange = Change & { readonly before: CountedExpression; readonly after: CountedExpression }

const changesOnlyVotes = (change: Change): change is VotedChange => {
  const { before, after } = change
  return before !== undefined && after !== undefined && unvoted.every((member) => before[member] === after[member])
}

/** Returns the scopes in which an expression counts: all, its domain and its sub-domain. */
export function scopesOf({ domain, subDomain }: Pick<KeyMembers, 'domain' | 'subDomain'>): readonly string[] {
  return [anyDomain, ...new Set([domain, subDomain].filter((id) => id !== null))]
}

const positionOf = (counted: CountedExpression | undefined): readonly Position[] =>
  counted === undefined || counted.lat === null || counted.lon === null ? [] : [{ lat: counted.lat, lon: counted.lon }]

function countedAs(
  now: Pick<CountableExpression, (typeof placed)[number]>,
  key: number,
  before: CountedExpression | undefined,
  votes: readonly VoteChange[],
): CountedExpression {
  const sums = {
    agree: before?.agree ?? 0,
    disagree: before?.disagree ?? 0,
    pass: before?.pass ?? 0,
    unverifiedAgree: before?.unverifiedAgree ?? 0,
    unverifiedDisagree: before?.unverifiedDisagree ?? 0,
    unverifiedPass: before?.unverifiedPass ?? 0,
  }
  for (const { from, to, wasVerified, isVerified } of votes) {
    if (from !== null) sums[wasVerified ? from : unverified[from]]--
    if (to !== null) sums[isVerified ? to : unverified[to]]++
  }
  const { day, createdAt, lat, lon, author } = now
  return { key, day, createdAt, lat, lon, author, ...sums }
}

/** columns of unverified votes by value */
const unverified = { agree: 'unverifiedAgree', disagree: 'unverifiedDisagree', pass: 'unverifiedPass' } as const

function isSame(one: CountedExpression | undefined, other: CountedExpression | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameCountedExpression(one, other)
}

const placed = ['day', 'createdAt', 'lat', 'lon', 'author'] as const
const unvoted = ['key', ...placed] as const
const members = [...unvoted, 'agree', 'disagree', 'pass', 'unverifiedAgree', 'unverifiedDisagree', 'unverifiedPass'] as const
export const sameCountedExpression = (one: CountedExpression, other: CountedExpression): boolean =>
  members.every((member) => one[member] === other[member])

/** Returns authors and verified voters; when an expression changes its domain, its voters count in the new one. */
async function participantsOf(
  tx: Transaction,
  changes: readonly Change[],
  voteChanges: ReadonlyMap<string, readonly VoteChange[]>,
  domainsOf: (counted: CountedExpression) => readonly string[],
): Promise<ParticipantChanges> {
  const people = new ParticipantChanges()
  const moved = changes.filter(({ before, after }) => before !== undefined && before.key !== after?.key).map(({ id }) => id)
  const voters = await readVoters(tx, moved)
  for (const { id, before, after } of changes) {
    const [from, to] = [before === undefined ? [] : domainsOf(before), after === undefined ? [] : domainsOf(after)]
    if (before?.author != null) people.add(from, before.author, -1)
    if (after?.author != null) people.add(to, after.author, 1)
    for (const voter of voters.get(id) ?? []) {
      people.add(from, voter, -1)
      people.add(to, voter, 1)
    }
    for (const vote of voteChanges.get(id) ?? []) {
      if (vote.wasVerified && !vote.isVerified) people.add(to, vote.voter, -1)
      if (!vote.wasVerified && vote.isVerified) people.add(to, vote.voter, 1)
    }
  }
  return people
}

async function writeExpressions(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const removed = changes.filter(({ after }) => after === undefined).map(({ id }) => id)
  if (removed.length > 0) await tx.execute(sql`delete from ${rollUpExpression} where id = any(${sql.param(removed)}::uuid[])`)
  const rows = changes.flatMap(({ id, after }) => {
    if (after === undefined) return []
    const { lat, lon, createdAt, ...members } = after
    const place = lat === null || lon === null ? null : placeOfPosition({ lat, lon })
    return [{ id, ...members, created_at: createdAt, lat, lon, place }]
  })
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into ${rollUpExpression} as e (id, key, day, created_at, lat, lon, place, author, agree, disagree, pass, unverified_agree,
      unverified_disagree, unverified_pass)
    select id, key, day, created_at, lat, lon, place, decode(author, 'hex'), agree, disagree, pass, "unverifiedAgree", "unverifiedDisagree",
      "unverifiedPass"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, key int, day int, created_at timestamptz, lat double precision,
      lon double precision, place bigint, author text, agree int, disagree int, pass int, "unverifiedAgree" int, "unverifiedDisagree" int,
      "unverifiedPass" int)
    on conflict (id) do update set key = excluded.key, day = excluded.day, created_at = excluded.created_at, lat = excluded.lat,
      lon = excluded.lon, place = excluded.place, author = excluded.author, agree = excluded.agree, disagree = excluded.disagree,
      pass = excluded.pass, unverified_agree = excluded.unverified_agree, unverified_disagree = excluded.unverified_disagree,
      unverified_pass = excluded.unverified_pass`)
}

async function writeVoteSums(tx: Transaction, changes: readonly VotedChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ id, after: { agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass } }) => {
    return { id, agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass }
  })
  await tx.execute(sql`
    update ${rollUpExpression} e set agree = r.agree, disagree = r.disagree, pass = r.pass, unverified_agree = "unverifiedAgree",
      unverified_disagree = "unverifiedDisagree", unverified_pass = "unverifiedPass"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, agree int, disagree int, pass int, "unverifiedAgree" int,
      "unverifiedDisagree" int, "unverifiedPass" int)
    where e.id = r.id`)
}

async function writeVotes(tx: Transaction, changes: ReadonlyMap<string, readonly VoteChange[]>): Promise<void> {
  const all = [...changes].flatMap(([id, votes]) => votes.map((vote) => ({ id, ...vote })))
  const removed = all.filter(({ to }) => to === null)
  const cast = all.filter(({ to }) => to !== null)
  if (removed.length > 0)
    await tx.execute(sql`
      delete from ${rollUpVote} v using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as r(id uuid, voter text)
      where v.expression_id = r.id and v.voter = decode(r.voter, 'hex')`)
  if (cast.length > 0)
    await tx.execute(sql`
      insert into ${rollUpVote} (expression_id, voter, value, verified)
      select id, decode(voter, 'hex'), "to", "isVerified"
      from jsonb_to_recordset(${JSON.stringify(cast)}::jsonb) as r(id uuid, voter text, "to" text, "isVerified" boolean)
      on conflict (expression_id, voter) do update set value = excluded.value, verified = excluded.verified`)
}
