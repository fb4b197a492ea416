/** The power of each frequency of a square, row by row, the even brightness first; negative frequencies in the upper halves. */
export function powerSpectrum(square: Float64Array, edge: number): Float64Array {
  const [real, imaginary] = [Float64Array.from(square), new Float64Array(square.length)]
  for (let y = 0; y < edge; y++) transform(real, imaginary, y * edge, 1, edge)
  for (let x = 0; x < edge; x++) transform(real, imaginary, x, edge, edge)
  return real.map((value, at) => value * value + (imaginary[at] ?? 0) ** 2)
}

/** In place, of `count` values, which is a power of two. @see Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series", 1965 */
function transform(real: Float64Array, imaginary: Float64Array, from: number, step: number, count: number): void {
  const place = (at: number): number => from + at * step
  const swap = (values: Float64Array, a: number, b: number): void => {
    const kept = values[a] ?? 0
    values[a] = values[b] ?? 0
    values[b] = kept
  }
  for (let at = 1, reversed = 0; at < count; at++) {
    let bit = count >> 1
    for (; reversed & bit; bit >>= 1) reversed ^= bit
    reversed ^= bit
    if (at >= reversed) continue
    swap(real, place(at), place(reversed))
    swap(imaginary, place(at), place(reversed))
  }
  for (let size = 2; size <= count; size *= 2) {
    const angle = (-2 * Math.PI) / size
    for (let part = 0; part < size / 2; part++) {
      const [cos, sin] = [Math.cos(angle * part), Math.sin(angle * part)]
      for (let start = part; start < count; start += size) {
        const [a, b] = [place(start), place(start + size / 2)]
        const [x, y] = [real[b] ?? 0, imaginary[b] ?? 0]
        const [re, im] = [x * cos - y * sin, x * sin + y * cos]
        real[b] = (real[a] ?? 0) - re
        imaginary[b] = (imaginary[a] ?? 0) - im
        real[a] = (real[a] ?? 0) + re
        imaginary[a] = (imaginary[a] ?? 0) + im
      }
    }
  }
}
