import { analyticsTopic } from '../../engines/analytics-store/analytics-store.ts'
import { expression } from '../../engines/analytics-store/tables.ts'
import { event } from '../../engines/event-feed/tables.ts'
import type { Database, Transaction } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { participant, participantCount, rollUpCell, rollUpExpression, rollUpKey, rollUpVote } from '../tables.ts'
import { sameCounted, scopesOf } from './apply-changes.ts'
import type { Countable } from './cell-changes.ts'
import { CellFingerprints } from './cell-fingerprint.ts'
import { readCounted, readCurrent, readVoteChanges } from './counted.ts'
import { numberKeys } from './roll-up-keys.ts'
import { readState } from './roll-up-state.ts'

/** How far the roll-ups are from what they should count. */
export interface RollUpDrift {
  /** expressions that were looked at */
  readonly compared: number
  /** those that changed a moment ago and are not counted yet: no drift */
  readonly pending: number
  /** expressions that are counted otherwise than they are */
  readonly differing: number
  /** zooms whose cells do not count the expressions; -1: all there is, -2: what has no position */
  readonly zooms: readonly number[]
  /** domains whose participants do not add up */
  readonly domains: readonly string[]
}

const pageRows = 5000
const nobody = '00000000-0000-0000-0000-000000000000'

/** Compares the roll-ups with the analytics store, and their parts with each other, as they are at one moment. Changes nothing. */
export async function checkRollUps(
  database: Database,
  options: { readonly signal: AbortSignal; readonly onProgress: (compared: number) => void },
): Promise<RollUpDrift> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    const state = await readState(tx)
    if (state === undefined) return { compared: 0, pending: 0, differing: 0, zooms: [], domains: [] }
    const pending = await pendingIds(tx, state.position)
    const expected = new CellFingerprints()
    let compared = 0
    let differing = 0
    for (let after: string | undefined = nobody; after !== undefined; ) {
      options.signal.throwIfAborted()
      const ids: readonly string[] = await nextIds(tx, after)
      differing += await differingOf(tx, ids, pending, state.timezone, (counted) => expected.addExpression(counted))
      compared += ids.length
      options.onProgress(compared)
      after = ids.length < pageRows ? undefined : ids.at(-1)
    }
    const found = await fingerprintsOf(tx, options.signal)
    const zooms = [...new Set([...expected.byZoom.keys(), ...found.byZoom.keys()])]
    return {
      compared,
      pending: pending.size,
      differing,
      zooms: zooms.filter((zoom) => (expected.byZoom.get(zoom) ?? 0) !== (found.byZoom.get(zoom) ?? 0)).sort((a, b) => a - b),
      domains: await wrongParticipants(tx),
    }
  })
}

async function pendingIds(tx: Transaction, position: number): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct id from ${event} where topic = ${analyticsTopic} and position > ${position} and kind like 'expression%'`,
  )
  return new Set(rows.map(({ id }) => id))
}

async function nextIds(tx: Transaction, after: string): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from (
      (select id from ${expression} where id > ${after} and withdrawn_at is null order by id limit ${pageRows})
      union (select id from ${rollUpExpression} where id > ${after} order by id limit ${pageRows})
    ) each order by id limit ${pageRows}`)
  return rows.map(({ id }) => id)
}

async function differingOf(
  tx: Transaction,
  ids: readonly string[],
  pending: ReadonlySet<string>,
  timezone: string,
  take: (counted: Countable) => void,
): Promise<number> {
  const counted = await readCounted(tx, ids)
  const current = await readCurrent(tx, ids, timezone)
  const votes = await readVoteChanges(tx, ids)
  const keys = await numberKeys(tx, [])
  let differing = 0
  for (const id of ids) {
    const [before, now] = [counted.get(id), current.get(id)]
    if (before !== undefined) take(before)
    if (pending.has(id)) continue
    const isSame =
      before === undefined || now === undefined
        ? before === now
        : sameCounted(before, { ...before, ...now, key: keys.findNumber(now) ?? -1 }) && !votes.has(id)
    if (!isSame) differing++
  }
  return differing
}

interface Cell extends Record<string, unknown> {
  readonly zoom: number
  readonly bucket: number
  readonly y: number
  readonly x: number
  readonly counts: string
  readonly votes: string | null
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
        select zoom, bucket, y, x, counts, votes, lon, lat from ${rollUpCell}
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

/** Each author of an expression and each voter on it is one use of a participant in every domain that the expression counts in. */
async function wrongParticipants(tx: Transaction): Promise<readonly string[]> {
  const byKey = await tx.execute<{ key: number; uses: string }>(sql`
    select key, sum(uses) as uses from (
      select key, count(author) as uses from ${rollUpExpression} group by key
      union all
      select e.key, count(*) from ${rollUpVote} v join ${rollUpExpression} e on e.id = v.expression_id group by e.key
    ) each group by key`)
  const keys = new Map((await tx.select().from(rollUpKey)).map((key) => [key.id, key]))
  const expected = new Map<string, number>()
  for (const { key, uses } of byKey.rows)
    for (const domain of scopesOf(keys.get(key) ?? { domain: null, subDomain: null }))
      if (Number(uses) > 0) expected.set(domain, (expected.get(domain) ?? 0) + Number(uses))
  const found = await tx.execute<Uses & { people: string; count: string | null }>(sql`
    select coalesce(p.domain, c.domain) as id, coalesce(p.uses, 0) as uses, coalesce(p.people, 0) as people, coalesce(c.count, 0) as count
    from (select domain, sum(uses) as uses, count(*) as people from ${participant} group by domain) p
    full join ${participantCount} c using (domain)`)
  const seen = new Map(found.rows.map((row) => [row.id, row]))
  return [...new Set([...expected.keys(), ...seen.keys()])].filter((domain) => {
    const { uses = '0', people = '0', count = '0' } = seen.get(domain) ?? {}
    return Number(uses) !== (expected.get(domain) ?? 0) || Number(people) !== Number(count)
  })
}
