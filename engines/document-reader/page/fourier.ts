import FFT from 'fft.js'

/**
 * Creates a function that returns the power spectrum of a square, column by column, constant term first, negative frequencies in the second half of
 * each column. Columns beyond the middle repeat the others and are left out.
 * @param edge - of a square, a power of two
 */
export function powerSpectra(edge: number): (square: Float64Array) => Float64Array {
  const transform = new FFT(edge)
  const columns = edge / 2 + 1
  return (square) => {
    // columns are stored as rows: memory locality makes the second pass several times as fast
    const turned = new Float64Array(2 * columns * edge)
    const spectrum = new Float64Array(2 * edge)
    for (let y = 0; y < edge; y++) {
      transform.realTransform(spectrum, square.subarray(y * edge, (y + 1) * edge))
      for (let x = 0; x < columns; x++) {
        const at = 2 * (x * edge + y)
        turned[at] = spectrum[2 * x] ?? 0
        turned[at + 1] = spectrum[2 * x + 1] ?? 0
      }
    }
    const power = new Float64Array(columns * edge)
    for (let x = 0; x < columns; x++) {
      transform.transform(spectrum, turned.subarray(2 * x * edge, 2 * (x + 1) * edge))
      for (let y = 0; y < edge; y++) power[x * edge + y] = (spectrum[2 * y] ?? 0) ** 2 + (spectrum[2 * y + 1] ?? 0) ** 2
    }
    return power
  }
}
