import { topicGramsOf } from '../text/grams.ts'
import { embeddingSize, type RunningEncoder } from './sentence-encoder.ts'
import { toUnitLength } from './token-pooling.ts'

/** Number of the 768 dimensions that each gram affects, with signs. */
const spread = 8

/**
 * The encoder without installed models: a sparse random projection of words and word pieces. Texts that share words are similar; it knows neither
 * meaning nor translation.
 * @see Li, Hastie and Church, "Very Sparse Random Projections", KDD 2006
 */
export function projectionEncoder(): RunningEncoder {
  return {
    name: 'sentence projection',
    model: 'hashed-projection-768',
    async start() {},
    async stop() {},
    async encode(text) {
      return project(text)
    },
  }
}

export function project(text: string): Float32Array {
  const vector = new Float32Array(embeddingSize)
  topicGramsOf(text).each((hash, count) => {
    let state = hash || 1
    for (let index = 0; index < spread; index++) {
      // xorshift32 (Marsaglia 2003)
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      const place = (state >>> 1) % embeddingSize
      vector[place] = (vector[place] ?? 0) + ((state & 1) === 0 ? count : -count)
    }
  })
  return toUnitLength(vector)
}
