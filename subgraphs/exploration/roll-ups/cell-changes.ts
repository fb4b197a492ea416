import type { Transaction } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { columnOf, rowOf } from '../../../foundation/filter/web-mercator.ts'
import { cellBits, maxRolledZoom, placeBits } from '../geometry/world-grid.ts'
import { rollUpCell } from '../tables.ts'
import { pack, unpack, unpackCounts } from './packed-counts.ts'

/** The values of an expression that a cell counts. */
export interface Countable {
  readonly key: number
  /** such as 20261121 */
  readonly day: number
  readonly lat: number | null
  readonly lon: number | null
  /** verified votes */
  readonly agree: number
  readonly disagree: number
  readonly pass: number
  readonly unverifiedAgree: number
  readonly unverifiedDisagree: number
  readonly unverifiedPass: number
}

/** pseudo-zooms of the rows for all expressions and for those without a position */
export const everything = -1
export const unlocated = -2

export const allTime = 0
export const monthOf = (day: number): number => Math.floor(day / 100)

const cellsAtOnce = 4000
export const millionths = (degrees: number): number => Math.round(degrees * 1e6)

interface CellPlace {
  readonly zoom: number
  readonly bucket: number
  readonly y: number
  readonly x: number
}

/** Yields all cells in which an expression counts. */
export function* cellsOf({ day, lat, lon }: Countable): Generator<CellPlace> {
  const located = lat !== null && lon !== null
  const [column, row] = located ? [columnOf(lon, placeBits), rowOf(lat, placeBits)] : [0, 0]
  for (const bucket of [allTime, monthOf(day), day]) {
    yield { zoom: everything, bucket, y: 0, x: 0 }
    if (!located) yield { zoom: unlocated, bucket, y: 0, x: 0 }
    else
      for (let zoom = 0; zoom <= maxRolledZoom; zoom++) {
        const shift = placeBits - zoom - cellBits
        yield { zoom, bucket, y: row >>> shift, x: column >>> shift }
      }
  }
}

/** Expressions and their votes: verified, then unverified. */
type Counts = [
  expressions: number,
  agree: number,
  disagree: number,
  pass: number,
  unverifiedAgree: number,
  unverifiedDisagree: number,
  unverifiedPass: number,
]
const noCounts: Readonly<Counts> = [0, 0, 0, 0, 0, 0, 0]

interface CellChange extends CellPlace {
  /** by key */
  readonly counts: Map<number, Counts>
  lon: number
  lat: number
}

interface StoredCell extends Record<string, unknown> {
  readonly zoom: number
  readonly bucket: number
  readonly y: number
  readonly x: number
  readonly counts: string
  readonly votes: string | null
  readonly unverified_votes: string | null
  readonly lon: string
  readonly lat: string
}

/** Collects changes of cell counts and writes them together. */
export class CellChanges {
  readonly #cells = new Map<string, CellChange>()

  /** @param times - 1 for a new state, -1 for the counted state */
  add(counted: Countable, times: 1 | -1): void {
    const { lat, lon } = counted
    const [ofLat, ofLon] = lat === null || lon === null ? [0, 0] : [times * millionths(lat), times * millionths(lon)]
    for (const cell of cellsOf(counted)) this.#at(cell, counted.key, sumOf(noCounts, countsOfOne(counted), times), ofLat, ofLon)
  }

  /** Replaces the votes of a counted expression. */
  replaceVotes(before: Countable, after: Countable): void {
    const difference = sumOf(countsOfOne(after), countsOfOne(before), -1)
    for (const cell of cellsOf(before)) this.#at(cell, before.key, difference, 0, 0)
  }

  #at({ zoom, bucket, y, x }: CellPlace, key: number, change: Counts, lat: number, lon: number): void {
    const name = `${zoom}/${bucket}/${y}/${x}`
    let cell = this.#cells.get(name)
    if (cell === undefined) {
      cell = { zoom, bucket, y, x, counts: new Map(), lon: 0, lat: 0 }
      this.#cells.set(name, cell)
    }
    cell.counts.set(key, sumOf(cell.counts.get(key) ?? noCounts, change, 1))
    cell.lon += lon
    cell.lat += lat
  }

  /** Runs in one transaction at a time, because it reads before it writes. */
  async write(tx: Transaction): Promise<void> {
    const changed = [...this.#cells.values()].filter(
      ({ counts, lon, lat }) => lon !== 0 || lat !== 0 || [...counts.values()].some((each) => each.some((count) => count !== 0)),
    )
    // in table order, so that neighbours share pages
    changed.sort((a, b) => a.zoom - b.zoom || a.bucket - b.bucket || a.y - b.y || a.x - b.x)
    const voted = changed.filter(changesOnlyVotes)
    const others = changed.filter((change) => !changesOnlyVotes(change))
    for (let from = 0; from < voted.length; from += cellsAtOnce) await mergeVotes(tx, voted.slice(from, from + cellsAtOnce))
    for (let from = 0; from < others.length; from += cellsAtOnce) await merge(tx, others.slice(from, from + cellsAtOnce))
  }
}

const changesOnlyVotes = ({ counts, lon, lat }: CellChange): boolean =>
  lon === 0 && lat === 0 && counts.values().every(([expressions]) => expressions === 0)

const countsOfOne = (counted: Countable): Counts => {
  const { agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass } = counted
  return [1, agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass]
}

const sumOf = (one: Readonly<Counts>, other: Readonly<Counts>, times: number): Counts => [
  one[0] + times * other[0],
  one[1] + times * other[1],
  one[2] + times * other[2],
  one[3] + times * other[3],
  one[4] + times * other[4],
  one[5] + times * other[5],
  one[6] + times * other[6],
]

/** rows are passed as JSON: the driver writes a list of texts ten times slower */
const rowsOf = (rows: readonly object[]) => sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`

const placesOf = (changes: readonly CellChange[]) =>
  sql`${rowsOf(changes.map(({ zoom, bucket, y, x }) => ({ zoom, bucket, y, x })))} as r(zoom smallint, bucket int, y int, x int)`

/** Leaves the counts of expressions, which are much longer, where they are. */
async function mergeVotes(tx: Transaction, changes: readonly CellChange[]): Promise<void> {
  const { rows } = await tx.execute<StoredCell>(sql`
    select c.zoom, c.bucket, c.y, c.x, '' as counts, c.votes, c.unverified_votes, '0' as lon, '0' as lat
    from ${placesOf(changes)} join ${rollUpCell} c using (zoom, bucket, y, x)`)
  const stored = new Map(rows.map((row) => [nameOf(row), row]))
  const merged = changes.map((change) => mergedWith(change, stored.get(nameOf(change))))
  await tx.execute(sql`
    update ${rollUpCell} c set votes = r.votes, unverified_votes = r.unverified_votes
    from ${rowsOf(merged)} as r(zoom smallint, bucket int, y int, x int, votes text, unverified_votes text)
    where c.zoom = r.zoom and c.bucket = r.bucket and c.y = r.y and c.x = r.x`)
}

async function merge(tx: Transaction, changes: readonly CellChange[]): Promise<void> {
  const { rows } = await tx.execute<StoredCell>(sql`
    select c.zoom, c.bucket, c.y, c.x, c.counts, c.votes, c.unverified_votes, c.lon, c.lat
    from ${placesOf(changes)} join ${rollUpCell} c using (zoom, bucket, y, x)`)
  const stored = new Map(rows.map((row) => [nameOf(row), row]))
  const merged = changes.map((change) => mergedWith(change, stored.get(nameOf(change))))
  const empty = merged.filter(({ counts }) => counts === '')
  const nonEmpty = merged.filter(({ counts }) => counts !== '')
  if (empty.length > 0)
    await tx.execute(sql`delete from ${rollUpCell} c using ${rowsOf(empty)} as r(zoom smallint, bucket int, y int, x int)
      where c.zoom = r.zoom and c.bucket = r.bucket and c.y = r.y and c.x = r.x`)
  if (nonEmpty.length > 0)
    await tx.execute(sql`insert into ${rollUpCell} as c (zoom, bucket, y, x, counts, votes, unverified_votes, lon, lat)
      select * from ${rowsOf(nonEmpty)} as r(zoom smallint, bucket int, y int, x int, counts text, votes text, unverified_votes text, lon bigint,
        lat bigint)
      on conflict (zoom, bucket, y, x) do update set counts = excluded.counts, votes = excluded.votes,
        unverified_votes = excluded.unverified_votes, lon = excluded.lon, lat = excluded.lat`)
}

const nameOf = ({ zoom, bucket, y, x }: Pick<StoredCell, 'zoom' | 'bucket' | 'y' | 'x'>): string => `${zoom}/${bucket}/${y}/${x}`

/** Returns the new row; without counts, the row is to be deleted. */
function mergedWith({ counts, lon, lat, ...place }: CellChange, stored: StoredCell | undefined) {
  const sums = new Map(stored === undefined ? [] : countsOf(stored))
  for (const [key, change] of counts) sums.set(key, sumOf(sums.get(key) ?? noCounts, change, 1))
  const sorted = [...sums].sort(([a], [b]) => a - b)
  if (sorted.some(([, each]) => each.some((count) => count < 0))) throw new Error('a count of the roll-ups would become negative')
  return {
    ...place,
    counts: pack(sorted.filter(([, [count]]) => count > 0).map(([key, [count]]) => [key, count])),
    votes: packedVotes(sorted.map(([key, [, agree, disagree, pass]]) => [key, agree, disagree, pass])),
    unverified_votes: packedVotes(sorted.map(([key, [, , , , agree, disagree, pass]]) => [key, agree, disagree, pass])),
    lon: lon + Number(stored?.lon ?? 0),
    lat: lat + Number(stored?.lat ?? 0),
  }
}

function packedVotes(rows: readonly (readonly [key: number, agree: number, disagree: number, pass: number])[]): string | null {
  const voted = rows.filter(([, ...votes]) => votes.some((count) => count > 0))
  return voted.length === 0 ? null : pack(voted)
}

function countsOf({ counts, votes, unverified_votes: unverified }: StoredCell): Map<number, Counts> {
  const sums = new Map<number, Counts>()
  const add = (key: number, change: Counts): void => void sums.set(key, sumOf(sums.get(key) ?? noCounts, change, 1))
  unpackCounts(counts, (key, count) => add(key, [count, 0, 0, 0, 0, 0, 0]))
  unpack(votes ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => add(key, [0, agree, disagree, pass, 0, 0, 0]))
  unpack(unverified ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => add(key, [0, 0, 0, 0, agree, disagree, pass]))
  return sums
}
