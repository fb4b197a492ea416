import { readCells, readPlaces } from '../queries/read-area.ts'
import type { Snapshot } from '../queries/roll-up-reader.ts'
import type { SearchedFigures } from '../queries/searched-figures.ts'
import { matchingKeys, type SearchedSelection, type Selection } from '../queries/selection.ts'
import { CountTally, type Tally } from '../queries/tally.ts'
import { type ClassedVoteFigures, type PackedVotes, type VoteColumns, VoteTally } from '../queries/vote-tally.ts'
import { type District, type Districts, nameOfCell } from './districts.ts'
import { contains } from './outline.ts'

/** Figures of a selection in one district. */
export interface DistrictFigures {
  readonly district: District
  readonly expressions: number
  readonly votes: ClassedVoteFigures
  readonly positive: number
  readonly neutral: number
  readonly negative: number
  /** number of expressions by domain; expressions without a domain are not counted */
  readonly domains: readonly (readonly [id: string, count: number])[]
}

/**
 * Returns the figures per district. Expressions in overlapping districts count in each; the selection's `box` is ignored.
 * @throws {InvalidInput} for an unknown domain
 */
export async function districtFigures(snapshot: Snapshot, districts: Districts, selection: Selection): Promise<readonly DistrictFigures[]> {
  const tallying = new CountTally(snapshot.keys, matchingKeys(snapshot, selection))
  const sums = districts.all.map(() => new DistrictSum(tallying))
  await addCells(snapshot, districts, selection, sums)
  await addBorders(snapshot, districts, selection, sums)
  return districts.all.map((district, index) => {
    const { tally, votes } = sums[index] ?? new DistrictSum(tallying)
    const { count, positive, neutral, negative } = tally
    const domains = tallying.domains.flatMap((id, at) => (tally.domains[at] ? [[id, tally.domains[at]] as const] : []))
    return {
      district,
      expressions: count,
      votes: votes.figures,
      positive,
      neutral,
      negative,
      domains,
    }
  })
}

/** As `districtFigures`, of the expressions whose text contains the words of the selection. */
export async function searchedDistrictFigures(
  searched: Pick<SearchedFigures, 'places'>,
  { all }: Districts,
  selection: SearchedSelection,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly at: Date; readonly figures: readonly DistrictFigures[] }> {
  const sums = all.map((district) => ({
    district,
    expressions: 0,
    votes: new VoteTally(),
    ...noSentiments,
    domains: new Map<string, number>(),
  }))
  const scope = await searched.places({ ...selection, box: null }, signal, ({ domain, sentiment, votes, ...position }) => {
    for (const sum of sums) {
      if (!contains(sum.district.outline, position)) continue
      sum.expressions += 1
      sum.votes.addRow(votes)
      if (sentiment !== null) sum[sentiment] += 1
      if (domain !== null) sum.domains.set(domain, (sum.domains.get(domain) ?? 0) + 1)
    }
  })
  const figures = sums.map(({ votes, domains, ...sum }) => ({
    ...sum,
    votes: votes.figures,
    domains: [...domains].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }))
  return { ...scope, figures }
}

const noSentiments = { positive: 0, neutral: 0, negative: 0 }

/** Adds the cells inside districts from the roll-ups. */
async function addCells(
  snapshot: Snapshot,
  { ranges, owners }: Districts,
  selection: Selection,
  sums: readonly DistrictSum[],
): Promise<void> {
  if (ranges.length === 0) return
  for (const [zoom, y, x, , times, counts, verified, , , unverified] of await readCells(snapshot, ranges, selection))
    for (const index of owners.get(nameOfCell(zoom, y, x)) ?? []) sums[index]?.addCell(counts, { verified, unverified }, times)
}

/** Adds expressions near borders by testing each position. */
async function addBorders(snapshot: Snapshot, { all }: Districts, selection: Selection, sums: readonly DistrictSum[]): Promise<void> {
  const stretches = all.flatMap(({ cover }, index) => cover.border.map((stretch) => ({ ...stretch, index })))
  for (const [number, key, lon, lat, count, ...votes] of await readPlaces(snapshot, stretches, selection)) {
    const index = stretches[number - 1]?.index ?? -1
    const outline = all[index]?.outline
    if (outline !== undefined && contains(outline, { lon, lat })) sums[index]?.addPlace(key, Number(count), votes)
  }
}

class DistrictSum {
  readonly tally: Tally
  readonly votes = new VoteTally()
  readonly #tallying: CountTally

  constructor(tallying: CountTally) {
    this.#tallying = tallying
    this.tally = tallying.fresh()
  }

  addCell(counts: string, votes: PackedVotes, times: number): void {
    this.#tallying.add(this.tally, counts, times)
    this.votes.addCell(votes, times, (key) => this.#tallying.wants(key))
  }

  addPlace(key: number, count: number, votes: VoteColumns): void {
    this.#tallying.addOne(this.tally, key, count)
    if (this.#tallying.wants(key)) this.votes.addRow(votes)
  }
}
