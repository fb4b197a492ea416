import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { cellBits, cellOfPlace, maxRolledZoom, placeBits } from '../geometry/world-grid.ts'
import { everything, millionths, unlocated } from './cell-changes.ts'
import { pack, packCounts } from './packed-counts.ts'

/** The number of a bucket of `day` as SQL, from the finest to all time. */
const buckets = ['day', 'day / 100', '0'] as const

/** rows that are read, and written, at once */
const rowsAtOnce = 20_000
/** limit of a statement: the server sorts all expressions before the first row */
const longStatementMs = 3_600_000

/** Runs a statement that may take longer than those of requests. */
export async function runLong(client: pg.ClientBase, text: string): Promise<void> {
  const statement: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout: longStatementMs }
  await client.query('set local statement_timeout = 0')
  await client.query(statement)
}

/** [bucket, place, key, lon, lat, votes: six numbers; null: no votes] */
type Row = [bucket: number, place: string | null, key: number, lon: number | null, lat: number | null, votes: string | null]

/**
 * Counts all expressions of `roll_up_expression` in the empty table `roll_up_cell`, in a transaction. In the order of their places, the expressions of
 * a cell follow each other at each zoom, so that one cell of a zoom is in memory at a time.
 * @param signal - checked between parts
 */
export async function buildCells(client: pg.ClientBase, signal: AbortSignal): Promise<void> {
  for (const bucket of buckets) {
    await runLong(
      client,
      `declare counted no scroll cursor for
       select ${bucket}, place, key, lon, lat, case
         when agree + disagree + pass + unverified_agree + unverified_disagree + unverified_pass > 0
         then concat_ws(' ', agree, disagree, pass, unverified_agree, unverified_disagree, unverified_pass) end
       from roll_up_expression order by 1, place nulls last`,
    )
    const builder = new CellBuilder()
    // the next rows are read while these are counted
    let coming = nextRows(client)
    for (let rows = await coming; rows.length > 0; rows = await coming) {
      signal.throwIfAborted()
      coming = nextRows(client)
      coming.catch(() => undefined)
      for (const row of rows) builder.add(row)
      await copyCells(client, builder.take())
    }
    builder.end()
    await copyCells(client, builder.take())
    await client.query('close counted')
  }
}

async function nextRows(client: pg.ClientBase): Promise<readonly Row[]> {
  const statement: pg.QueryArrayConfig & { readonly query_timeout: number } = {
    text: `fetch ${rowsAtOnce} from counted`,
    rowMode: 'array',
    query_timeout: longStatementMs,
  }
  return (await client.query<Row & unknown[]>(statement)).rows
}

/** As CSV: packed counts contain neither commas nor quotation marks. */
async function copyCells(client: pg.ClientBase, lines: readonly string[]): Promise<void> {
  for (let from = 0; from < lines.length; from += rowsAtOnce) {
    const copy = client.query(
      copyFrom('copy roll_up_cell (zoom, bucket, y, x, counts, votes, unverified_votes, lon, lat) from stdin (format csv)'),
    )
    await new Promise<void>((resolve, reject) => {
      copy.once('finish', resolve).once('error', reject)
      copy.end(lines.slice(from, from + rowsAtOnce).join(''))
    })
  }
}

type Votes = readonly [
  agree: number,
  disagree: number,
  pass: number,
  unverifiedAgree: number,
  unverifiedDisagree: number,
  unverifiedPass: number,
]

/** A cell whose expressions are being read. */
interface OpenCell {
  /** bits of column and row, interleaved */
  readonly place: number
  /** expressions by key */
  counts: Map<number, number>
  /** by key; undefined: no votes */
  votes: Map<number, Votes> | undefined
  lon: number
  lat: number
  /** the columns after the place, unless the counts have changed */
  columns: string | undefined
}

/** bits of a place below a cell of the deepest zoom with roll-ups */
const belowCell = 4 ** (placeBits - maxRolledZoom - cellBits)

class CellBuilder {
  /** the open cell of each zoom; a finer one is in each coarser one */
  readonly #open: (OpenCell | undefined)[] = []
  #everything = emptyCell(0)
  #unlocated = emptyCell(0)
  #bucket: number | undefined
  #lines: string[] = []

  add([bucket, place, key, lon, lat, votes]: Row): void {
    if (bucket !== this.#bucket) {
      this.end()
      this.#bucket = bucket
    }
    const isLocated = place !== null && lon !== null && lat !== null
    const cell = isLocated ? this.#at(Math.floor(Number(place) / belowCell)) : this.#unlocated
    count(cell, key, 1, votes === null ? undefined : votesOf(votes))
    if (!isLocated) return
    cell.lon += millionths(lon)
    cell.lat += millionths(lat)
  }

  /** Ends a bucket. */
  end(): void {
    this.#close(0)
    this.#write(unlocated, this.#unlocated)
    merge(this.#everything, this.#unlocated)
    this.#write(everything, this.#everything)
    this.#everything = emptyCell(0)
    this.#unlocated = emptyCell(0)
  }

  /** Returns the finished cells as lines. */
  take(): readonly string[] {
    return this.#lines.splice(0)
  }

  /** Returns the finest cell of a place; opens its cells, and closes those of the place before that do not contain it. */
  #at(place: number): OpenCell {
    const open = this.#open[maxRolledZoom]
    if (open?.place === place) return open
    const placeAt = (zoom: number): number => place >>> (2 * (maxRolledZoom - zoom))
    let from = 0
    while (this.#open[from]?.place === placeAt(from)) from++
    this.#close(from)
    for (let zoom = from; zoom < maxRolledZoom; zoom++) this.#open[zoom] = emptyCell(placeAt(zoom))
    const finest = emptyCell(place)
    this.#open[maxRolledZoom] = finest
    return finest
  }

  /** Closes the cells of a zoom and of deeper ones: their counts move up. */
  #close(from: number): void {
    for (let zoom = maxRolledZoom; zoom >= from; zoom--) {
      const cell = this.#open[zoom]
      if (cell === undefined) continue
      this.#write(zoom, cell)
      merge(this.#open[zoom - 1] ?? this.#everything, cell)
      this.#open[zoom] = undefined
    }
  }

  #write(zoom: number, cell: OpenCell): void {
    if (cell.counts.size === 0) return
    cell.columns ??= columnsOf(cell)
    const [x, y] = cellOfPlace(cell.place)
    this.#lines.push(`${zoom},${this.#bucket},${y},${x},${cell.columns}`)
  }
}

function votesOf(text: string): Votes {
  const [agree = 0, disagree = 0, pass = 0, unverifiedAgree = 0, unverifiedDisagree = 0, unverifiedPass = 0] = text.split(' ').map(Number)
  return [agree, disagree, pass, unverifiedAgree, unverifiedDisagree, unverifiedPass]
}

const emptyCell = (place: number): OpenCell => ({ place, counts: new Map(), votes: undefined, lon: 0, lat: 0, columns: undefined })

function count(cell: OpenCell, key: number, expressions: number, votes: Votes | undefined): void {
  cell.counts.set(key, (cell.counts.get(key) ?? 0) + expressions)
  cell.columns = undefined
  if (votes === undefined) return
  cell.votes ??= new Map()
  const before = cell.votes.get(key)
  cell.votes.set(key, before === undefined ? votes : sumOf(before, votes))
}

const sumOf = (one: Votes, other: Votes): Votes => [
  one[0] + other[0],
  one[1] + other[1],
  one[2] + other[2],
  one[3] + other[3],
  one[4] + other[4],
  one[5] + other[5],
]

/** Adds a finished cell to one that contains it; the first one passes on its counts without copying them. */
function merge(into: OpenCell, cell: OpenCell): void {
  if (into.counts.size === 0) {
    Object.assign(into, { counts: cell.counts, votes: cell.votes, columns: cell.columns })
  } else for (const [key, expressions] of cell.counts) count(into, key, expressions, cell.votes?.get(key))
  into.lon += cell.lon
  into.lat += cell.lat
}

/** Returns counts, votes and sums of a cell, packed as `CellChanges` does. */
function columnsOf({ counts, votes, lon, lat }: OpenCell): string {
  const keys = [...counts.keys()]
  if (keys.length > 1) keys.sort((a, b) => a - b)
  return `${packCounts(keys, counts)},${packedVotes(keys, votes, 0)},${packedVotes(keys, votes, 3)},${lon},${lat}\n`
}

/** @param from - index of the first of three counts */
function packedVotes(keys: readonly number[], votes: OpenCell['votes'], from: 0 | 3): string {
  if (votes === undefined) return ''
  return pack(
    keys.flatMap((key) => {
      const [one = 0, two = 0, three = 0] = votes.get(key)?.slice(from, from + 3) ?? []
      return one + two + three > 0 ? [[key, one, two, three]] : []
    }),
  )
}
