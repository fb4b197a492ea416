import { atOnce } from '../../foundation/concurrency/steps.ts'

/**
 * Fractional keys: between any two there is another, so a node can be inserted in pre-order without renumbering. A key is text over 0-9A-Za-z that
 * does not end in 0, ordered by bytes.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** A key that would be longer triggers redistribution of its neighbours. In bytes, equal to characters. */
export const maxKeyLength = 128

/**
 * Returns a key about half-way between two others. @param low - undefined: before all keys
 * @param high - undefined: after all keys; must be greater than `low`
 * @see Greenspan, "Implementing Fractional Indexing", 2017
 */
export function keyBetween(low: string | undefined, high: string | undefined): string {
  let prefix = ''
  let from = low ?? ''
  let to = high
  for (;;) {
    if (to !== undefined) {
      let same = 0
      while (same < to.length && (from[same] ?? '0') === to[same]) same++
      prefix += to.slice(0, same)
      from = from.slice(same)
      to = to.slice(same)
      if (to === '') throw new RangeError('there is no key between these two')
    }
    const lowDigit = from === '' ? 0 : digits.indexOf(from.charAt(0))
    const highDigit = to === undefined ? digits.length : digits.indexOf(to.charAt(0))
    if (highDigit - lowDigit > 1) return prefix + digits.charAt(Math.round((lowDigit + highDigit) / 2))
    if (to !== undefined && to.length > 1) return prefix + to.charAt(0)
    prefix += digits.charAt(lowDigit)
    from = from.slice(1)
    to = undefined
  }
}

/** Returns evenly spread keys between two others, whose length grows with the logarithm of `count`. @returns `count` keys in ascending order */
export function keysBetween(low: string | undefined, high: string | undefined, count: number): string[] {
  const keys = new Array<string>(count)
  atOnce(fill(keys, 0, count, low, high))
  return keys
}

/** Fills a range of keys with evenly spread ones between two others; yields after each. */
function* fill(keys: string[], start: number, end: number, low: string | undefined, high: string | undefined): Generator<void> {
  const ranges = [{ from: start, to: end, low, high }]
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { from, to, low, high } = range
    if (from >= to) continue
    const middle = (from + to) >> 1
    const key = keyBetween(low, high)
    keys[middle] = key
    ranges.push({ from, to: middle, low, high: key }, { from: middle + 1, to, low: key, high })
    yield
  }
}

/**
 * Returns a key just after another and leaves most of the range for later keys, since nodes are mostly appended. Increments the first digit with room
 * for 32 more, so that ten thousand keys need about six digits.
 */
export function keyAfter(low: string | undefined, high: string | undefined): string {
  const values: number[] = []
  for (let room = high === undefined ? 1 : 0; room < 32; ) {
    const at = values.length
    const digit = digits.indexOf(low?.charAt(at) || '0')
    values.push(digit)
    room = room * digits.length + Math.max(0, digits.indexOf(high?.charAt(at) || '0')) - digit
  }
  do {
    for (let at = values.length - 1; ; at--) {
      const next = (values[at] ?? 0) + 1
      values[at] = next % digits.length
      if (next < digits.length) break
    }
  } while (values.at(-1) === 0)
  return values.map((value) => digits.charAt(value)).join('')
}

/**
 * Returns keys for a sequence, keeping as many present keys as are in order (a longest increasing subsequence) and placing short new ones between
 * them, in steps: yields where it may pause. @param present - current key of an item; undefined for a new one
 * @returns one key per item, in ascending order
 */
export function* rearrangedKeys(present: readonly (string | undefined)[]): Generator<void, string[]> {
  const stable = yield* increasing(present)
  for (let reach = 32; ; reach *= 4) {
    const keys = yield* keysAround(present, stable)
    const long = keys.findIndex((key) => key.length > maxKeyLength)
    if (long < 0) return keys
    // too dense: replaces the neighbouring keys, too
    for (let at = Math.max(0, long - reach); at <= Math.min(stable.length - 1, long + reach); at++) stable[at] = false
  }
}

function* keysAround(present: readonly (string | undefined)[], stable: readonly boolean[]): Generator<void, string[]> {
  const keys = new Array<string>(present.length)
  let low: string | undefined
  let from = 0
  for (let at = 0; at <= present.length; at++) {
    yield
    if (at < present.length && !stable[at]) continue
    const high = present[at]
    yield* fill(keys, from, at, low, high)
    if (high !== undefined) keys[at] = high
    low = high
    from = at + 1
  }
  return keys
}

/** Marks the items of a longest strictly increasing subsequence: patience sorting, O(n log n). */
function* increasing(present: readonly (string | undefined)[]): Generator<void, boolean[]> {
  const keyAt = (index: number): string => present[index] ?? ''
  const ends: number[] = []
  const before = new Int32Array(present.length).fill(-1)
  for (const [index, key] of present.entries()) {
    yield
    if (key === undefined) continue
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (keyAt(ends[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1] ?? -1
    ends[low] = index
  }
  const stable = new Array<boolean>(present.length).fill(false)
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) stable[index] = true
  return stable
}
