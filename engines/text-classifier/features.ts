import { type HashCountArrays, HashCounts } from '../text/hash-counts.ts'

/** Weights of grams: the rarer, the higher (smoothed inverse document frequency). */
export class GramWeights {
  readonly textCount: number
  /** number of texts that contain each gram */
  readonly documentFrequency: HashCountArrays
  readonly #weights: HashCounts
  readonly #weightOfUnknown: number

  constructor(textCount: number, documentFrequency: HashCountArrays) {
    const weightOf = (count: number): number => Math.log((1 + textCount) / (1 + count)) + 1
    this.textCount = textCount
    this.documentFrequency = documentFrequency
    this.#weights = new HashCounts({
      hashes: documentFrequency.hashes,
      counts: documentFrequency.counts.map((count) => (count === 0 ? 0 : weightOf(count))),
    })
    this.#weightOfUnknown = weightOf(0)
  }

  static of(texts: readonly HashCounts[]): GramWeights {
    const documentFrequency = new HashCounts()
    for (const grams of texts) grams.each((hash) => documentFrequency.add(hash, 1))
    return new GramWeights(texts.length, { hashes: documentFrequency.hashes, counts: documentFrequency.counts })
  }

  of(hash: number): number {
    return this.#weights.get(hash) || this.#weightOfUnknown
  }
}

/** A sparse vector of length 1: unordered indices and values. Empty for a text without words. */
export interface SparseVector {
  readonly indices: Int32Array
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

  constructor(weights: GramWeights, buckets: number) {
    this.#weights = weights
    this.#sums = new Float64Array(buckets)
  }

  features(grams: HashCounts): SparseVector {
    const [sums, touched] = [this.#sums, this.#touched]
    let touchedCount = 0
    grams.each((hash, count) => {
      const bucket = (hash >>> 0) % sums.length
      const sum = sums[bucket] ?? 0
      if (sum === 0) touched[touchedCount++] = bucket
      sums[bucket] = sum + (hash < 0 ? 1 : -1) * count * this.#weights.of(hash)
    })
    const [indices, values] = [new Int32Array(touchedCount), new Float32Array(touchedCount)]
    let nonzero = 0
    let squares = 0
    for (let index = 0; index < touchedCount; index++) {
      const bucket = touched[index] ?? 0
      const sum = sums[bucket] ?? 0
      // opposite signs may cancel, and a bucket that returned to 0 is listed again when it changes
      if (sum === 0) continue
      sums[bucket] = 0
      squares += sum * sum
      indices[nonzero] = bucket
      values[nonzero++] = sum
    }
    const length = Math.sqrt(squares)
    for (let index = 0; index < nonzero; index++) values[index] = (values[index] ?? 0) / length
    return { indices: indices.subarray(0, nonzero), values: values.subarray(0, nonzero) }
  }
}
