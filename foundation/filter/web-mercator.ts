/* The world as a square (EPSG:3857). Latitudes beyond 85.05 degrees belong to the first and last row. */

/** Returns the column, 0 to 2^bits - 1, of a longitude, counted from the west. Monotonic in the longitude. */
export function columnOf(lon: number, bits: number): number {
  const size = 2 ** bits
  return Math.min(size - 1, Math.max(0, Math.floor(((lon + 180) / 360) * size)))
}

/** Returns the row, 0 to 2^bits - 1, of a latitude, counted from the north. */
export function rowOf(lat: number, bits: number): number {
  const size = 2 ** bits
  return Math.min(size - 1, Math.max(0, Math.floor(heightOf(lat) * size)))
}

/** Returns 0 at 85.05 degrees north and 1 at 85.05 degrees south; values outside for latitudes beyond. */
export function heightOf(lat: number): number {
  if (lat >= 90) return Number.NEGATIVE_INFINITY
  if (lat <= -90) return Number.POSITIVE_INFINITY
  return 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
}
