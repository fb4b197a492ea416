import { describe, expect, it } from 'vitest'
import { HashCounts } from '../../../../engines/text/hash-counts.ts'

/** Yields the same numbers in each run (Marsaglia 2003, xorshift32). */
function* numbers(count: number, seed = 1): Iterable<number> {
  let state = seed
  for (let index = 0; index < count; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield state
  }
}

const entriesOf = ({ hashes, counts }: HashCounts) =>
  new Map([...counts.entries()].filter(([, count]) => count !== 0).map(([slot, count]) => [hashes[slot], count]))

describe('counts by hash', () => {
  it.each([1, 255, 256, 257, 5000, 40_000])('equals a Map after %i additions', (additions) => {
    const [table, map] = [new HashCounts(), new Map<number, number>()]
    for (const number of numbers(additions)) {
      // many numbers repeat, and many share a slot
      const hash = number % 3 === 0 ? number : (number % 700) << 12
      const amount = 0.5 + (number & 7)
      table.add(hash, amount)
      map.set(hash, (map.get(hash) ?? 0) + amount)
    }
    expect(entriesOf(table)).toEqual(map)
    for (const [hash, count] of map) expect(table.get(hash)).toBe(count)
    for (const hash of numbers(500, 99)) expect(table.get(hash)).toBe(map.get(hash) ?? 0)
  })

  it('treats a signed and an unsigned hash as the same, and zero as any other', () => {
    const table = new HashCounts()
    table.add(-1, 2)
    table.add(0, 3)
    expect([table.get(0xffff_ffff), table.get(-1), table.get(0), table.get(1)]).toEqual([2, 2, 3, 0])
  })

  it('can be rebuilt from its two arrays', () => {
    const table = new HashCounts()
    for (const hash of numbers(1000)) table.add(hash, 1)
    const copy = new HashCounts(structuredClone({ hashes: table.hashes, counts: table.counts }))
    for (const hash of numbers(1000, 7)) for (const each of [table, copy]) each.add(hash, 1)
    expect(entriesOf(copy)).toEqual(entriesOf(table))
  })
})
