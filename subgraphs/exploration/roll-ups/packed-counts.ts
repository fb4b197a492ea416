/**
 * Rows of small whole numbers as text: one character holds five bits and whether more follow (as source maps do), the first number of
 * each row is the difference to that of the row before. About three bytes for a key and its count, and no driver has to decode bytes.
 */
const first = 48
const more = 32

/** @param rows - in ascending order of their first numbers   @param width - numbers in a row */
export function pack(rows: Iterable<readonly number[]>): string {
  let text = ''
  let last = 0
  for (const row of rows)
    for (const [index, number] of row.entries()) {
      let rest = index === 0 ? number - last : number
      if (index === 0) last = number
      while (rest >= more) {
        text += String.fromCharCode(first + more + (rest % more))
        rest = Math.floor(rest / more)
      }
      text += String.fromCharCode(first + rest)
    }
  return text
}

/** Calls `take` with each row, in the same array every time. */
export function unpack(text: string, width: number, take: (row: readonly number[]) => void): void {
  const row = new Array<number>(width).fill(0)
  const { length } = text
  let last = 0
  for (let at = 0; at < length; ) {
    for (let index = 0; index < width; index++) {
      let value = 0
      let unit = 1
      let bits = text.charCodeAt(at++) - first
      while (bits >= more) {
        value += (bits - more) * unit
        unit *= more
        bits = text.charCodeAt(at++) - first
      }
      row[index] = value + bits * unit
    }
    last += row[0] ?? 0
    row[0] = last
    take(row)
  }
}

/** The same for rows of two, without an array: most of what is read is this. */
export function unpackCounts(text: string, take: (key: number, count: number) => void): void {
  const { length } = text
  let key = 0
  for (let at = 0; at < length; ) {
    let unit = 1
    let bits = text.charCodeAt(at++) - first
    while (bits >= more) {
      key += (bits - more) * unit
      unit *= more
      bits = text.charCodeAt(at++) - first
    }
    key += bits * unit
    let count = 0
    unit = 1
    bits = text.charCodeAt(at++) - first
    while (bits >= more) {
      count += (bits - more) * unit
      unit *= more
      bits = text.charCodeAt(at++) - first
    }
    take(key, count + bits * unit)
  }
}
