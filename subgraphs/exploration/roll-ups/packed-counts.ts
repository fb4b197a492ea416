/**
 * Rows of small integers as text: a character holds five bits and a continuation flag (as in source maps), and the first number of a row is
 * the difference to the previous row. About three bytes per key and count, without decoding bytes in the driver.
 */
const first = 48
const more = 32

function textOf(number: number): string {
  let text = ''
  let rest = number
  while (rest >= more) {
    text += String.fromCharCode(first + more + (rest % more))
    rest = Math.floor(rest / more)
  }
  return text + String.fromCharCode(first + rest)
}

const smallTexts = Array.from({ length: more ** 2 }, (_, number) => textOf(number))
const packed = (number: number): string => smallTexts[number] ?? textOf(number)

/** @param rows - in ascending order of the first number  @param width - numbers per row */
export function pack(rows: Iterable<readonly number[]>): string {
  let text = ''
  let last = 0
  for (const row of rows)
    for (const [index, number] of row.entries()) {
      text += packed(index === 0 ? number - last : number)
      if (index === 0) last = number
    }
  return text
}

/** The same for counts by key, without arrays. @param keys - in ascending order */
export function packCounts(keys: readonly number[], counts: ReadonlyMap<number, number>): string {
  let text = ''
  let last = 0
  for (const key of keys) {
    text += packed(key - last) + packed(counts.get(key) ?? 0)
    last = key
  }
  return text
}

/** Calls `take` with each row, reusing one array. */
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

/** The same for rows of two numbers without an array, which is the most frequent case. */
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
