import { seededRandom } from '../../../demonstration/drawing/seeded-random.ts'
import { FaceMatrix } from '../../../subgraphs/verification/duplicates/face-matrix.ts'
import { populationLike, type TwoOfEach } from './face-population.ts'

/** What a search among so many made faces found, for one line. */
export interface SearchRates {
  readonly faces: number
  /** Euclidean */
  readonly line: number
  /** of people who are among them, under another code: share that is found */
  readonly found: number
  /** of people who are not: share for whom somebody is found */
  readonly wrong: number
  /** median of a search, on this machine */
  readonly searchMs: number
}

/** Shares of pairs of photographs as measured: of one person, and of two. */
export interface PairRates {
  readonly line: number
  readonly onePerson: number
  readonly twoPeople: number
  readonly pairsOfTwo: number
}

const hits = 10

/** @param lines - Euclidean, rising   @param probes - searches of either kind   @returns a row for each number of faces and line */
export function searchRates(
  measured: TwoOfEach,
  isUnit: boolean,
  lines: readonly number[],
  sizes: readonly number[],
  probes = 1000,
): readonly SearchRates[] {
  const population = populationLike(measured, isUnit)
  const random = seededRandom(1)
  const farthest = lines.at(-1) ?? 0
  const known = Array.from({ length: probes }, () => population.person(random))
  const matrix = new FaceMatrix()
  for (const person of known) matrix.add(matrix.size, population.photograph(person, random))
  return sizes.flatMap((faces) => {
    while (matrix.size < faces) matrix.add(matrix.size, population.photograph(population.person(random), random))
    const times: number[] = []
    const nearest = (vector: Float32Array, own?: number) => {
      const from = performance.now()
      const near = matrix.search(vector, farthest, hits)
      times.push(performance.now() - from)
      return { others: near[0]?.distance, own: near.find(({ id }) => id === own)?.distance }
    }
    const own = known.map((person, index) => nearest(population.photograph(person, random), index).own ?? Number.POSITIVE_INFINITY)
    const strangers = known.map(() => nearest(population.photograph(population.person(random), random)).others ?? Number.POSITIVE_INFINITY)
    const searchMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    return lines.map((line) => ({ faces, line, found: shareWithin(own, line), wrong: shareWithin(strangers, line), searchMs }))
  })
}

/** Of every pair of photographs that there is. */
export function pairRates(measured: TwoOfEach, lines: readonly number[]): readonly PairRates[] {
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
