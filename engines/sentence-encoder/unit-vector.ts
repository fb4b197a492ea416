/** Normalises a vector to length 1 in place; leaves a zero vector unchanged. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0
  for (let place = 0; place < vector.length; place++) squares += (vector[place] ?? 0) ** 2
  const length = Math.sqrt(squares) || 1
  for (let place = 0; place < vector.length; place++) vector[place] = (vector[place] ?? 0) / length
  return vector
}
