import type { BoundingBox } from '../../../foundation/filter/bounding-box.ts'
import type { CellRange, Cover } from '../geometry/area.ts'
import { bucketsOfPeriod, type Period } from './period.ts'
import type { Snapshot } from './roll-up-reader.ts'
import type { VoteColumns } from './vote-tally.ts'

/** A cell of the roll-ups: [zoom, y, x, bucket, 1 to add or -1 to subtract, counts, votes, lon, lat, unverified votes] */
export type CellRow = readonly [
  zoom: number,
  y: number,
  x: number,
  bucket: number,
  times: number,
  counts: string,
  votes: string | null,
  lon: string,
  lat: string,
  unverifiedVotes: string | null,
]
/** Expressions in a cell by position: [place of the cell, keys, sums of lon and lat in millionths of degrees] */
export type EdgeRow = readonly [cell: string, keys: string, lon: string, lat: string]

const stretches = `bucket as materialized (
    select c.bucket, s.times from unnest($1::int[], $2::int[], $3::int[]) s(first, last, times)
    join roll_up_cell c on c.zoom = -1 and c.bucket between s.first and s.last and c.y = 0 and c.x = 0
  )`
const members = 'c.zoom, c.y, c.x, c.bucket, b.times, c.counts, c.votes, c.lon, c.lat, c.unverified_votes'

/** Returns the non-empty cells of these ranges in these ranges of time. */
export async function readCells(snapshot: Snapshot, ranges: readonly CellRange[], period: Period): Promise<readonly CellRow[]> {
  const { plus, minus } = bucketsOfPeriod(period)
  const times = [...plus.map(() => 1), ...minus.map(() => -1)]
  return readBuckets(
    snapshot,
    ranges,
    [...plus, ...minus].map(({ from, to }, index) => ({ from, to, times: times[index] ?? 1 })),
  )
}

export async function readBuckets(
  snapshot: Snapshot,
  ranges: readonly CellRange[],
  buckets: readonly { readonly from: number; readonly to: number; readonly times: number }[],
): Promise<readonly CellRow[]> {
  // tall, narrow ranges are read by column where an index exists
  const isColumn = ({ zoom, left, right, top, bottom }: CellRange): boolean => zoom >= 0 && zoom <= 6 && bottom - top > right - left
  const [columns, rows] = [ranges.filter(isColumn), ranges.filter((range) => !isColumn(range))]
  const of = (list: readonly CellRange[]): readonly unknown[] => [
    list.map(({ zoom }) => zoom),
    list.map(({ left }) => left),
    list.map(({ right }) => right),
    list.map(({ top }) => top),
    list.map(({ bottom }) => bottom),
  ]
  return snapshot.rows<CellRow>(
    `with ${stretches}
    select ${members} from unnest($4::smallint[], $5::int[], $6::int[], $7::int[], $8::int[]) r(zoom, l, r, t, b)
      cross join bucket b cross join lateral generate_series(r.t, r.b) as line
      cross join lateral (select * from roll_up_cell c where c.zoom = r.zoom and c.bucket = b.bucket and c.y = line and c.x between r.l and r.r offset 0) c
    union all
    select ${members} from unnest($9::smallint[], $10::int[], $11::int[], $12::int[], $13::int[]) r(zoom, l, r, t, b)
      cross join bucket b cross join lateral generate_series(r.l, r.r) as line
      cross join lateral (select * from roll_up_cell c where c.zoom = r.zoom and c.zoom between 0 and 6 and c.bucket = b.bucket and c.x = line
        and c.y between r.t and r.b offset 0) c`,
    [buckets.map(({ from }) => from), buckets.map(({ to }) => to), buckets.map(({ times }) => times), ...of(rows), ...of(columns)],
  )
}

export interface PlaceFilter extends Period {
  /** numbers of the selected keys; undefined selects all */
  readonly keys: readonly number[] | undefined
}

const first = (day: number | null): number => day ?? 0
const last = (day: number | null): number => day ?? 99_999_999

/** Returns the expressions within the ranges and their boxes, grouped by cells of `shift` bits of a place. */
export function readEdges(snapshot: Snapshot, edges: Cover['edges'], shift: number, filter: PlaceFilter): Promise<readonly EdgeRow[]> {
  if (edges.length === 0) return Promise.resolve([])
  const { keys, from, to } = filter
  return snapshot.rows<EdgeRow>(
    `select e.place >> $9, string_agg(e.key::text, ' '), sum(round(e.lon * 1e6)::bigint), sum(round(e.lat * 1e6)::bigint)
    from ${edgeRanges}
    cross join lateral (
      select place, key, lon, lat from roll_up_expression e where ${withinRange} and e.day between $7 and $8
        ${keys === undefined ? '' : 'and e.key + 0 = any($10::int[])'} offset 0
    ) e group by 1`,
    [...edgeValues(edges), first(from), last(to), shift, ...(keys === undefined ? [] : [keys])],
  )
}

export type EdgeCounts = readonly [key: number, day: number, count: string, ...votes: VoteColumns]
/** the votes of a row `e` of roll_up_expression, in the order of `VoteColumns`, and their sums */
export const voteColumns = 'e.agree, e.disagree, e.pass, e.unverified_agree, e.unverified_disagree, e.unverified_pass'
export const voteSums = voteColumns.replaceAll(/e\.\w+/g, 'sum($&)')

/** Returns the expressions within the ranges and their boxes, grouped by key and day. */
export function readEdgeCounts(snapshot: Snapshot, edges: Cover['edges'], { from, to }: Period): Promise<readonly EdgeCounts[]> {
  if (edges.length === 0) return Promise.resolve([])
  return snapshot.rows<EdgeCounts>(
    `select e.key, e.day, count(*), ${voteSums} from ${edgeRanges}
    cross join lateral (
      select * from roll_up_expression e where ${withinRange} and e.day between $7 and $8 offset 0
    ) e group by 1, 2`,
    [...edgeValues(edges), first(from), last(to)],
  )
}

/** Expressions of a key at a place: [number of the range, from 1; key; lon; lat; count; votes] */
export type PlaceRow = readonly [stretch: number, key: number, lon: number, lat: number, count: string, ...votes: VoteColumns]

/** Returns the expressions within these ranges of places, each at its own position. */
export function readPlaces(
  snapshot: Snapshot,
  stretches: readonly { readonly from: number; readonly to: number }[],
  { from, to }: Period,
): Promise<readonly PlaceRow[]> {
  if (stretches.length === 0) return Promise.resolve([])
  return snapshot.rows<PlaceRow>(
    `select r.n::int, e.key, e.lon, e.lat, count(*), ${voteSums}
    from unnest($1::bigint[], $2::bigint[]) with ordinality r(from_, to_, n)
    cross join lateral (
      select * from roll_up_expression e where e.place is not null and e.place >= r.from_ and e.place < r.to_ and e.day between $3 and $4 offset 0
    ) e group by 1, 2, 3, 4`,
    [stretches.map((stretch) => stretch.from), stretches.map((stretch) => stretch.to), first(from), last(to)],
  )
}

const edgeRanges = `unnest($1::bigint[], $2::bigint[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
      r(from_, to_, west, south, east, north)`
const withinRange = `e.place is not null and e.place >= r.from_ and e.place < r.to_
        and e.lon between r.west and r.east and e.lat between r.south and r.north`

function edgeValues(edges: Cover['edges']): readonly unknown[] {
  return [
    edges.map((edge) => edge.from),
    edges.map((edge) => edge.to),
    edges.map(({ box }) => box.west),
    edges.map(({ box }) => box.south),
    edges.map(({ box }) => box.east),
    edges.map(({ box }) => box.north),
  ]
}

/** One expression as shown on the map. */
export type PlacedRow = readonly [index: number, id: string, createdAt: Date, lon: number, lat: number, ...votes: VoteColumns<number>]

/** Returns the only expression of a key in each of these cells. */
export function readSingles(
  snapshot: Snapshot,
  cells: readonly { readonly from: number; readonly to: number; readonly key: number }[],
  area: readonly BoundingBox[],
  { from, to }: Period,
): Promise<readonly PlacedRow[]> {
  if (cells.length === 0) return Promise.resolve([])
  const [one, other = one] = area
  return snapshot.rows<PlacedRow>(
    `select r.n::int, e.id, e.created_at, e.lon, e.lat, ${voteColumns}
    from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality r(from_, to_, key, n)
    cross join lateral (
      select * from roll_up_expression e where e.place is not null and e.key = r.key and e.place >= r.from_ and e.place < r.to_
        and e.day between $4 and $5 and e.lat between $6 and $7 and (e.lon between $8 and $9 or e.lon between $10 and $11) limit 1
    ) e`,
    [
      cells.map((cell) => cell.from),
      cells.map((cell) => cell.to),
      cells.map(({ key }) => key),
      first(from),
      last(to),
      one?.south ?? -90,
      one?.north ?? 90,
      one?.west ?? -180,
      one?.east ?? 180,
      other?.west ?? -180,
      other?.east ?? 180,
    ],
  )
}
