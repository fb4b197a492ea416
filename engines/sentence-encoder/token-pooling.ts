/** Normalises a vector to length 1 in place; leaves a zero vector unchanged. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0
  for (let place = 0; place < vector.length; place++) squares += (vector[place] ?? 0) ** 2
  const length = Math.sqrt(squares) || 1
  for (let place = 0; place < vector.length; place++) vector[place] = (vector[place] ?? 0) / length
  return vector
}

/**
 * Pools the output of a transformer to one unit vector.
 * @param data - token vectors [1, tokens, size], or with `none` a text vector [1, size]
 * @param mask - 1 for tokens that count
 * @throws for another shape
 * @see Reimers and Gurevych, "Sentence-BERT", EMNLP 2019 (mean and CLS pooling)
 */
export function pooled(
  data: Float32Array,
  dims: readonly number[],
  mask: readonly number[],
  pooling: 'mean' | 'cls' | 'none',
  size: number,
): Float32Array {
  const expected = pooling === 'none' ? [1, size] : [1, mask.length, size]
  if (dims.length !== expected.length || dims.some((length, index) => length !== expected[index]))
    throw new Error(`The encoder returned shape [${dims.join(', ')}], but pooling "${pooling}" needs [${expected.join(', ')}]`)
  return toUnitLength(pooling === 'mean' ? meanOf(data, mask, size) : data.slice(0, size))
}

function meanOf(data: Float32Array, mask: readonly number[], size: number): Float32Array {
  const sum = new Float32Array(size)
  for (const [token, counts] of mask.entries())
    if (counts !== 0) for (let place = 0; place < size; place++) sum[place] = (sum[place] ?? 0) + (data[token * size + place] ?? 0)
  const tokens = mask.filter((counts) => counts !== 0).length || 1
  return sum.map((value) => value / tokens)
}
