import type { SeededRandom } from '../../../demonstration/drawing/seeded-random.ts'

/** Two descriptors of each of many people, by one model. */
export type DescriptorPairs = readonly (readonly [one: Float32Array, other: Float32Array])[]

/** Generates descriptors of synthetic people. */
export interface FacePopulation {
  /** A new person; call `photograph` with it any number of times. */
  person(random: SeededRandom): Float64Array
  photograph(person: Float64Array, random: SeededRandom): Float32Array
}

/**
 * A normally distributed population with the measured mean, the measured covariance between people, and the measured covariance between two photographs of one person.
 * @param isUnit - descriptors have length 1, like those of the model
 */
export function populationLike(people: DescriptorPairs, isUnit: boolean): FacePopulation {
  const size = people[0]?.[0].length ?? 0
  const mean = Float64Array.from({ length: size }, (_, place) =>
    average(people, ([one, other]) => ((one[place] ?? 0) + (other[place] ?? 0)) / 2),
  )
  const within = covariance(size, people, ([one, other], place) => ((one[place] ?? 0) - (other[place] ?? 0)) / Math.SQRT2)
  const ofMeans = covariance(size, people, ([one, other], place) => ((one[place] ?? 0) + (other[place] ?? 0)) / 2 - (mean[place] ?? 0))
  // the mean of two photographs has half the variance of one
  const between = ofMeans.map((value, place) => value - (within[place] ?? 0) / 2)
  const [ofPeople, ofPhotographs] = [squareRoot(between, size), squareRoot(within, size)]
  return {
    person: (random) => drawn(ofPeople, mean, random),
    photograph(person, random) {
      const vector = drawn(ofPhotographs, person, random)
      const length = isUnit ? Math.hypot(...vector) : 1
      return Float32Array.from(vector, (value) => value / length)
    },
  }
}

const average = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0) / items.length

/** Covariance of values with mean zero. @returns size x size numbers, row by row */
function covariance(size: number, people: DescriptorPairs, value: (of: DescriptorPairs[number], place: number) => number): Float64Array {
  const sums = new Float64Array(size * size)
  for (const each of people) {
    const row = Float64Array.from({ length: size }, (_, place) => value(each, place))
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) sums[i * size + j] = (sums[i * size + j] ?? 0) + (row[i] ?? 0) * (row[j] ?? 0)
  }
  return sums.map((sum) => sum / people.length)
}

/** The Cholesky factor of the matrix: its lower triangle, with the smallest diagonal addition that makes it positive definite. */
function squareRoot(matrix: Float64Array, size: number): Float64Array {
  const usual = Math.abs(matrix.reduce((sum, value, place) => (place % (size + 1) === 0 ? sum + value : sum), 0)) / size
  for (let added = 0; ; added = Math.max(usual * 1e-4, added * 1.5)) {
    const root = triangleOf(matrix, size, added)
    if (root !== undefined) return root
  }
}

function triangleOf(matrix: Float64Array, size: number, added: number): Float64Array | undefined {
  const root = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = (matrix[i * size + j] ?? 0) + (i === j ? added : 0)
      for (let k = 0; k < j; k++) rest -= (root[i * size + k] ?? 0) * (root[j * size + k] ?? 0)
      if (i === j && rest <= 0) return undefined
      root[i * size + j] = i === j ? Math.sqrt(rest) : rest / (root[j * size + j] ?? 1)
    }
  }
  return root
}

function drawn(root: Float64Array, around: Float64Array, random: SeededRandom): Float64Array {
  const size = around.length
  const normal = Float64Array.from({ length: size }, () => gaussian(random))
  return around.map((value, i) => {
    let sum = value
    for (let k = 0; k <= i; k++) sum += (root[i * size + k] ?? 0) * (normal[k] ?? 0)
    return sum
  })
}

/** @see Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958 */
const gaussian = (random: SeededRandom): number => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
