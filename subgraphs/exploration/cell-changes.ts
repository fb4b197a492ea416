import type { Transaction } from '../engines/relational/database.ts'
import { sql } from '../engines/relational/drizzle.ts'
import { pack, unpack } from './packed-counts.ts'
import { rollUpCell } from './tables.ts'
import { cellBits, columnOf, deepestRolled, placeBits, rowOf } from './world-grid.ts'

/** What a cell needs to know of an expression. */
export interface Countable {
  readonly key: number
  /** 20261121 */
  readonly day: number
  readonly lat: number | null
  readonly lon: number | null
  readonly agree: number
  readonly disagree: number
  readonly pass: number
}

/** the row that holds all there is; what has no position; their place among the zooms of the map */
export const everything = -1
export const unlocated = -2

export const ever = 0
export const monthOf = (day: number): number => Math.floor(day / 100)

const cellsAtOnce = 4000
export const millionths = (degrees: number): number => Math.round(degrees * 1e6)

interface CellPlace {
  readonly zoom: number
  readonly bucket: number
  readonly y: number
  readonly x: number
}

/** Every cell that an expression is counted in. */
export function* cellsOf({ day, lat, lon }: Countable): Generator<CellPlace> {
  const located = lat !== null && lon !== null
  const [column, row] = located ? [columnOf(lon, placeBits), rowOf(lat, placeBits)] : [0, 0]
  for (const bucket of [ever, monthOf(day), day]) {
    yield { zoom: everything, bucket, y: 0, x: 0 }
    if (!located) yield { zoom: unlocated, bucket, y: 0, x: 0 }
    else
      for (let zoom = 0; zoom <= deepestRolled; zoom++) {
        const shift = placeBits - zoom - cellBits
        yield { zoom, bucket, y: row >>> shift, x: column >>> shift }
      }
  }
}

interface CellChange extends CellPlace {
  /** by key: expressions, agree, disagree, pass */
  readonly counts: Map<number, [number, number, number, number]>
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
  readonly lon: string
  readonly lat: string
}

/** Gathers how expressions change the counts of the cells they are in, and writes that at once. */
export class CellChanges {
  readonly #cells = new Map<string, CellChange>()

  /** @param times - 1 for one that is counted from now on, -1 for one that was */
  add(counted: Countable, times: 1 | -1): void {
    for (const cell of cellsOf(counted)) this.#at(cell, counted, times)
  }

  #at({ zoom, bucket, y, x }: CellPlace, { key, lat, lon, agree, disagree, pass }: Countable, times: 1 | -1): void {
    const name = `${zoom}/${bucket}/${y}/${x}`
    let cell = this.#cells.get(name)
    if (cell === undefined) {
      cell = { zoom, bucket, y, x, counts: new Map(), lon: 0, lat: 0 }
      this.#cells.set(name, cell)
    }
    const counts = cell.counts.get(key) ?? [0, 0, 0, 0]
    counts[0] += times
    counts[1] += times * agree
    counts[2] += times * disagree
    counts[3] += times * pass
    cell.counts.set(key, counts)
    if (lon !== null && lat !== null) {
      cell.lon += times * millionths(lon)
      cell.lat += times * millionths(lat)
    }
  }

  /** Only one transaction at a time may do this: what it writes is made of what it has read. */
  async write(tx: Transaction): Promise<void> {
    const changed = [...this.#cells.values()].filter(
      ({ counts, lon, lat }) => lon !== 0 || lat !== 0 || [...counts.values()].some((each) => each.some((count) => count !== 0)),
    )
    for (let from = 0; from < changed.length; from += cellsAtOnce) await merge(tx, changed.slice(from, from + cellsAtOnce))
  }
}

async function merge(tx: Transaction, changes: readonly CellChange[]): Promise<void> {
  const column = (of: (cell: CellChange) => number) => sql.param(changes.map(of))
  const places = sql`unnest(${column(({ zoom }) => zoom)}::smallint[], ${column(({ bucket }) => bucket)}::int[],
    ${column(({ y }) => y)}::int[], ${column(({ x }) => x)}::int[]) as r(zoom, bucket, y, x)`
  const { rows } = await tx.execute<StoredCell>(
    sql`select c.zoom, c.bucket, c.y, c.x, c.counts, c.votes, c.lon, c.lat from ${places} join ${rollUpCell} c using (zoom, bucket, y, x)`,
  )
  const stored = new Map(rows.map((row) => [nameOf(row), row]))
  const merged = changes.map((change) => ({ ...change, ...mergedWith(change, stored.get(nameOf(change))) }))
  const gone = merged.filter(({ packed }) => packed === '')
  const kept = merged.filter(({ packed }) => packed !== '')
  const of = <Value>(cells: typeof merged, member: (cell: (typeof merged)[number]) => Value) => sql.param(cells.map(member))
  if (gone.length > 0)
    await tx.execute(sql`delete from ${rollUpCell} c using unnest(${of(gone, ({ zoom }) => zoom)}::smallint[],
      ${of(gone, ({ bucket }) => bucket)}::int[], ${of(gone, ({ y }) => y)}::int[], ${of(gone, ({ x }) => x)}::int[]) as r(zoom, bucket, y, x)
      where c.zoom = r.zoom and c.bucket = r.bucket and c.y = r.y and c.x = r.x`)
  if (kept.length > 0)
    await tx.execute(sql`insert into ${rollUpCell} as c (zoom, bucket, y, x, counts, votes, lon, lat)
      select * from unnest(${of(kept, ({ zoom }) => zoom)}::smallint[], ${of(kept, ({ bucket }) => bucket)}::int[],
        ${of(kept, ({ y }) => y)}::int[], ${of(kept, ({ x }) => x)}::int[], ${of(kept, ({ packed }) => packed)}::text[],
        ${of(kept, ({ packedVotes }) => packedVotes)}::text[], ${of(kept, ({ lon }) => lon)}::bigint[], ${of(kept, ({ lat }) => lat)}::bigint[])
      on conflict (zoom, bucket, y, x) do update set counts = excluded.counts, votes = excluded.votes, lon = excluded.lon, lat = excluded.lat`)
}

const nameOf = ({ zoom, bucket, y, x }: Pick<StoredCell, 'zoom' | 'bucket' | 'y' | 'x'>): string => `${zoom}/${bucket}/${y}/${x}`

function mergedWith({ counts, lon, lat }: CellChange, stored: StoredCell | undefined) {
  const sums = new Map<number, [number, number, number, number]>()
  if (stored !== undefined) {
    unpack(stored.counts, 2, ([key = 0, count = 0]) => sums.set(key, [count, 0, 0, 0]))
    unpack(stored.votes ?? '', 4, ([key = 0, agree = 0, disagree = 0, pass = 0]) => {
      sums.set(key, [sums.get(key)?.[0] ?? 0, agree, disagree, pass])
    })
  }
  for (const [key, [count, agree, disagree, pass]] of counts) {
    const [before, beforeAgree, beforeDisagree, beforePass] = sums.get(key) ?? [0, 0, 0, 0]
    sums.set(key, [before + count, beforeAgree + agree, beforeDisagree + disagree, beforePass + pass])
  }
  const sorted = [...sums].sort(([a], [b]) => a - b)
  if (sorted.some(([, each]) => each.some((count) => count < 0))) throw new Error('a roll-up would count less than nothing')
  const voted = sorted.filter(([, [, ...votes]]) => votes.some((count) => count > 0))
  return {
    packed: pack(sorted.filter(([, [count]]) => count > 0).map(([key, [count]]) => [key, count])),
    packedVotes: voted.length === 0 ? null : pack(voted.map(([key, [, agree, disagree, pass]]) => [key, agree, disagree, pass])),
    lon: lon + Number(stored?.lon ?? 0),
    lat: lat + Number(stored?.lat ?? 0),
  }
}
