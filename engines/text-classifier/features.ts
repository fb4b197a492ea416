import { type HashCountArrays, HashCounts } from '../text/hash-counts.ts'

/** Weights of grams: the rarer, the higher (smoothed inverse document frequency). */
export class GramWeights {
  readonly texts: number
  /** number of texts that contain a gram */
  readonly having: HashCountArrays
  readonly #weights: HashCounts
  readonly #weightOfUnknown: number

  constructor(texts: number, having: HashCountArrays) {
    const weightOf = (count: number): number => Math.log((1 + texts) / (1 + count)) + 1
    this.texts = texts
    this.having = having
    this.#weights = new HashCounts({ hashes: having.hashes, counts: having.counts.map((count) => (count === 0 ? 0 : weightOf(count))) })
    this.#weightOfUnknown = weightOf(0)
  }

  static of(texts: readonly HashCounts[]): GramWeights {
    const having = new HashCounts()
    for (const grams of texts) grams.each((hash) => having.add(hash, 1))
    return new GramWeights(texts.length, { hashes: having.hashes, counts: having.counts })
  }

  of(hash: number): number {
    return this.#weights.get(hash) || this.#weightOfUnknown
  }
}

/** A sparse vector of length 1: unordered indices and values. Empty for a text without words. */
export interface SparseVector {
  readonly places: Int32Array
  readonly values: Float32Array
}

/**
 * Hashes grams to a fixed number of buckets, with signs, so that collisions cancel on average. @see Weinberger et al., "Feature Hashing for Large
 * Scale Multitask Learning", ICML 2009
 */
export class FeatureHasher {
  readonly #weights: GramWeights
  /** all 0 between texts */
  readonly #sums: Float64Array
  readonly #touched: number[] = []

  constructor(weights: GramWeights, places: number) {
    this.#weights = weights
    this.#sums = new Float64Array(places)
  }

  features(grams: HashCounts): SparseVector {
    const [sums, touched] = [this.#sums, this.#touched]
    let last = 0
    grams.each((hash, count) => {
      const place = (hash >>> 0) % sums.length
      const sum = sums[place] ?? 0
      if (sum === 0) touched[last++] = place
      sums[place] = sum + (hash < 0 ? 1 : -1) * count * this.#weights.of(hash)
    })
    const [places, values] = [new Int32Array(last), new Float32Array(last)]
    let filled = 0
    let squares = 0
    for (let index = 0; index < last; index++) {
      const place = touched[index] ?? 0
      const sum = sums[place] ?? 0
      // signs may cancel, and a cancelled index may be changed again
      if (sum === 0) continue
      sums[place] = 0
      squares += sum * sum
      places[filled] = place
      values[filled++] = sum
    }
    const length = Math.sqrt(squares)
    for (let index = 0; index < filled; index++) values[index] = (values[index] ?? 0) / length
    return { places: places.subarray(0, filled), values: values.subarray(0, filled) }
  }
}
