import { readCells, readPlaces } from '../queries/read-area.ts'
import type { Snapshot } from '../queries/roll-up-reader.ts'
import { matchingKeys, type Selection } from '../queries/selection.ts'
import { type Tally, Tallying } from '../queries/tally.ts'
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
  const tallying = new Tallying(snapshot.keys, matchingKeys(snapshot, selection))
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
  readonly #tallying: Tallying

  constructor(tallying: Tallying) {
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
