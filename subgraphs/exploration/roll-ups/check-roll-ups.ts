import { analyticsTopic, expressionEventKinds, votesTopic } from '../../../engines/analytics-store/analytics-store.ts'
import type { CountableExpressions } from '../../../engines/analytics-store/countable-expressions.ts'
import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { participant, participantCount, rollUpCell, rollUpExpression, rollUpKey, rollUpVote } from '../tables.ts'
import { sameCountedExpression, scopesOf } from './apply-changes.ts'
import type { Countable } from './cell-changes.ts'
import { CellFingerprints } from './cell-fingerprint.ts'
import { readCountedExpressions } from './counted-expressions.ts'
import { numberKeys } from './roll-up-keys.ts'
import { type RollUpEngines, readState } from './roll-up-state.ts'

/** Differences between the roll-ups and the expressions. */
export interface RollUpDrift {
  /** number of expressions compared */
  readonly compared: number
  /** expressions that changed recently and are not counted yet; not a difference */
  readonly pending: number
  /** expressions that are counted incorrectly */
  readonly differing: number
  /** zooms with wrong cells; -1: all expressions, -2: those without a position */
  readonly zooms: readonly number[]
  /** domains with wrong participants */
  readonly domains: readonly string[]
}

const pageRows = 5000

/** Compares the roll-ups with the analytics store and their parts with each other, at one point in time. Changes nothing. */
export async function checkRollUps(
  { database, feed, expressions }: RollUpEngines,
  options: { readonly signal: AbortSignal; readonly onProgress: (compared: number) => void },
): Promise<RollUpDrift> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    const state = await readState(tx)
    if (state === undefined) return { compared: 0, pending: 0, differing: 0, zooms: [], domains: [] }
    const pending = new Set([
      ...(await feed.idsSince(tx, analyticsTopic, state.position, expressionEventKinds)),
      ...(await feed.idsSince(tx, votesTopic, state.votesPosition, expressionEventKinds)),
    ])
    const expected = new CellFingerprints()
    let compared = 0
    let differing = 0
    for (let after: string | undefined; ; ) {
      options.signal.throwIfAborted()
      const ids = await nextIds(tx, expressions, after)
      const page = await readPage(tx, expressions, ids, state.timezone)
      for (const counted of page.counted.values()) expected.addExpression(counted)
      differing += ids.filter((id) => !pending.has(id) && page.differs(id)).length
      compared += ids.length
      options.onProgress(compared)
      if (ids.length < pageRows) break
      after = ids.at(-1)
    }
    const actual = await fingerprintsOf(tx, options.signal)
    const zooms = [...new Set([...expected.byZoom.keys(), ...actual.byZoom.keys()])]
    return {
      compared,
      pending: pending.size,
      differing,
      zooms: zooms.filter((zoom) => (expected.byZoom.get(zoom) ?? 0) !== (actual.byZoom.get(zoom) ?? 0)).sort((a, b) => a - b),
      domains: await wrongParticipants(tx),
    }
  })
}

/** Returns the next ids in the store or in the roll-ups, in ascending order. */
async function nextIds(tx: Transaction, expressions: CountableExpressions, after: string | undefined): Promise<readonly string[]> {
  const stored = await expressions.idsAfter(tx, after, pageRows)
  const above = after === undefined ? sql`` : sql`where id > ${after}`
  const { rows } = await tx.execute<{ id: string }>(sql`select id from ${rollUpExpression} ${above} order by id limit ${pageRows}`)
  return [...new Set([...stored, ...rows.map(({ id }) => id)])].sort().slice(0, pageRows)
}

interface ComparedPage {
  readonly counted: ReadonlyMap<string, Countable>
  /** whether the roll-ups count an expression incorrectly */
  readonly differs: (id: string) => boolean
}

async function readPage(
  tx: Transaction,
  expressions: CountableExpressions,
  ids: readonly string[],
  timezone: string,
): Promise<ComparedPage> {
  const counted = await readCountedExpressions(tx, ids)
  const current = await expressions.find(tx, ids, timezone)
  const votes = await expressions.voteChanges(tx, ids, sql`${rollUpVote}`)
  const keys = await numberKeys(tx, [])
  const differs = (id: string): boolean => {
    const [before, now] = [counted.get(id), current.get(id)]
    if (before === undefined || now === undefined) return before !== now
    return votes.has(id) || !sameCountedExpression(before, { ...before, ...now, key: keys.findNumber(now) ?? -1 })
  }
  return { counted, differs }
}

interface Cell extends Record<string, unknown> {
  readonly zoom: number
  readonly bucket: number
  readonly y: number
  readonly x: number
  readonly counts: string
  readonly votes: string | null
  readonly unverifiedVotes: string | null
  readonly lon: string
  readonly lat: string
}

async function fingerprintsOf(tx: Transaction, signal: AbortSignal): Promise<CellFingerprints> {
  const fingerprints = new CellFingerprints()
  let last: Pick<Cell, 'zoom' | 'bucket' | 'y' | 'x'> | undefined = { zoom: -3, bucket: 0, y: 0, x: 0 }
  while (last !== undefined) {
    signal.throwIfAborted()
    const { zoom, bucket, y, x }: Pick<Cell, 'zoom' | 'bucket' | 'y' | 'x'> = last
    const rows: readonly Cell[] = (
      await tx.execute<Cell>(sql`
        select zoom, bucket, y, x, counts, votes, unverified_votes as "unverifiedVotes", lon, lat from ${rollUpCell}
        where (zoom, bucket, y, x) > (${zoom}::smallint, ${bucket}, ${y}, ${x}) order by zoom, bucket, y, x limit ${pageRows}`)
    ).rows
    for (const row of rows) fingerprints.addCell({ ...row, lon: Number(row.lon), lat: Number(row.lat) })
    last = rows.length < pageRows ? undefined : rows.at(-1)
  }
  return fingerprints
}

interface Uses extends Record<string, unknown> {
  readonly id: string
  readonly uses: string
}

/** Each author and each verified voter of an expression counts once as participant in each domain of the expression. */
async function wrongParticipants(tx: Transaction): Promise<readonly string[]> {
  const byKey = await tx.execute<{ key: number; uses: string }>(sql`
    select key, sum(uses) as uses from (
      select key, count(author) as uses from ${rollUpExpression} group by key
      union all
      select e.key, count(*) from ${rollUpVote} v join ${rollUpExpression} e on e.id = v.expression_id
      where v.verified group by e.key
    ) each group by key`)
  const keys = new Map((await tx.select().from(rollUpKey)).map((key) => [key.id, key]))
  const expected = new Map<string, number>()
  for (const { key, uses } of byKey.rows)
    for (const domain of scopesOf(keys.get(key) ?? { domain: null, subDomain: null }))
      if (Number(uses) > 0) expected.set(domain, (expected.get(domain) ?? 0) + Number(uses))
  const actual = await tx.execute<Uses & { people: string; count: string | null }>(sql`
    select coalesce(p.domain, c.domain) as id, coalesce(p.uses, 0) as uses, coalesce(p.people, 0) as people, coalesce(c.count, 0) as count
    from (select domain, sum(uses) as uses, count(*) as people from ${participant} group by domain) p
    full join ${participantCount} c using (domain)`)
  const seen = new Map(actual.rows.map((row) => [row.id, row]))
  return [...new Set([...expected.keys(), ...seen.keys()])].filter((domain) => {
    const { uses = '0', people = '0', count = '0' } = seen.get(domain) ?? {}
    return Number(uses) !== (expected.get(domain) ?? 0) || Number(people) !== Number(count)
  })
}
