/**
 * Creates a function that returns the power spectrum of a square, column by column, constant term first, negative frequencies in the second half of
 * each column. Columns beyond the middle repeat the others and are left out.
 * @param edge - of a square, a power of two
 */
export function powerSpectra(edge: number): (square: Float64Array) => Float64Array {
  const transformRow = rowTransform(edge)
  const transformRows = (real: Float64Array, imaginary: Float64Array, count: number): void => {
    for (let row = 0; row < count; row++) transformRow(real, imaginary, row * edge)
  }
  return (square) => {
    const [real, imaginary] = [square.slice(), new Float64Array(square.length)]
    transformRows(real, imaginary, edge)
    // transforming columns as rows is several times as fast because of memory locality
    transpose(real, edge)
    transpose(imaginary, edge)
    const columns = edge / 2 + 1
    transformRows(real, imaginary, columns)
    const power = new Float64Array(columns * edge)
    for (let at = 0; at < power.length; at++) power[at] = (real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2
    return power
  }
}

/** Transforms a row in place. @see Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series", 1965 */
function rowTransform(count: number): (real: Float64Array, imaginary: Float64Array, from: number) => void {
  const half = count / 2
  const cosines = Float64Array.from({ length: half }, (_, at) => Math.cos((-2 * Math.PI * at) / count))
  const sines = Float64Array.from({ length: half }, (_, at) => Math.sin((-2 * Math.PI * at) / count))
  const reversed = bitReversed(count)
  return (real, imaginary, from) => {
    for (let at = 0; at < count; at++) {
      const other = reversed[at] ?? 0
      if (at >= other) continue
      swap(real, from + at, from + other)
      swap(imaginary, from + at, from + other)
    }
    for (let size = 2; size <= count; size *= 2) {
      const stride = count / size
      for (let start = from; start < from + count; start += size) {
        for (let part = 0; part < size / 2; part++) {
          const a = start + part
          const b = a + size / 2
          const cos = cosines[part * stride] ?? 0
          const sin = sines[part * stride] ?? 0
          const x = real[b] ?? 0
          const y = imaginary[b] ?? 0
          const re = x * cos - y * sin
          const im = x * sin + y * cos
          const ar = real[a] ?? 0
          const ai = imaginary[a] ?? 0
          real[b] = ar - re
          imaginary[b] = ai - im
          real[a] = ar + re
          imaginary[a] = ai + im
        }
      }
    }
  }
}

function bitReversed(count: number): Uint32Array {
  const reversed = new Uint32Array(count)
  for (let at = 1; at < count; at++) reversed[at] = ((reversed[at >> 1] ?? 0) >> 1) | (at & 1 ? count >> 1 : 0)
  return reversed
}

function transpose(square: Float64Array, edge: number): void {
  for (let y = 1; y < edge; y++) for (let x = 0; x < y; x++) swap(square, y * edge + x, x * edge + y)
}

function swap(values: Float64Array, a: number, b: number): void {
  const previous = values[a] ?? 0
  values[a] = values[b] ?? 0
  values[b] = previous
}
