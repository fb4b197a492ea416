import { seededRandom } from '../../../demonstration/drawing/seeded-random.ts'
import { FaceMatrix } from '../../../subgraphs/verification/duplicates/face-matrix.ts'
import { type DescriptorPairs, populationLike } from './face-population.ts'

/** Result of searches among a number of generated faces, for one threshold. */
export interface SearchRates {
  readonly faces: number
  /** Threshold as a Euclidean distance. */
  readonly line: number
  /** Share of enrolled people who are found under another code. */
  readonly detected: number
  /** Share of other people for whom a match is found. */
  readonly wrong: number
  /** Median duration of a search on this machine. */
  readonly searchMs: number
}

/** Shares of measured pairs of photographs that match: of one person, and of two. */
export interface PairRates {
  readonly line: number
  readonly onePerson: number
  readonly twoPeople: number
  readonly pairsOfTwo: number
}

const hits = 10

/** @param lines - Euclidean thresholds, ascending   @param probes - searches of either kind   @returns a row per number of faces and threshold */
export function searchRates(
  measured: DescriptorPairs,
  isUnit: boolean,
  lines: readonly number[],
  sizes: readonly number[],
  probes = 1000,
): readonly SearchRates[] {
  const population = populationLike(measured, isUnit)
  const random = seededRandom(1)
  const farthest = lines.at(-1) ?? 0
  const enrolled = Array.from({ length: probes }, () => population.person(random))
  const matrix = new FaceMatrix()
  for (const person of enrolled) matrix.add(matrix.size, population.photograph(person, random))
  return sizes.flatMap((faces) => {
    while (matrix.size < faces) matrix.add(matrix.size, population.photograph(population.person(random), random))
    const times: number[] = []
    const nearest = (vector: Float32Array, own?: number) => {
      const from = performance.now()
      const near = matrix.search(vector, farthest, hits)
      times.push(performance.now() - from)
      return { others: near[0]?.distance, own: near.find(({ id }) => id === own)?.distance }
    }
    const own = enrolled.map((person, index) => nearest(population.photograph(person, random), index).own ?? Number.POSITIVE_INFINITY)
    const strangers = enrolled.map(
      () => nearest(population.photograph(population.person(random), random)).others ?? Number.POSITIVE_INFINITY,
    )
    const searchMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    return lines.map((line) => ({ faces, line, detected: shareWithin(own, line), wrong: shareWithin(strangers, line), searchMs }))
  })
}

/** Distances of all pairs of photographs. */
export function pairRates(measured: DescriptorPairs, lines: readonly number[]): readonly PairRates[] {
  const own = measured.map(([one, other]) => distance(one, other))
  const others: number[] = []
  for (const [index, person] of measured.entries())
    for (const stranger of measured.slice(index + 1)) for (const a of person) for (const b of stranger) others.push(distance(a, b))
  return lines.map((line) => ({ line, onePerson: shareWithin(own, line), twoPeople: shareWithin(others, line), pairsOfTwo: others.length }))
}

const shareWithin = (distances: readonly number[], line: number): number =>
  distances.filter((each) => each <= line).length / Math.max(1, distances.length)

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let place = 0; place < a.length; place++) sum += ((a[place] ?? 0) - (b[place] ?? 0)) ** 2
  return Math.sqrt(sum)
}
