import { describe, expect, it } from 'vitest'
import { HashCounts } from '../../../../engines/text/hash-counts.ts'

/** The same numbers each time (Marsaglia 2003, xorshift32). */
function* numbers(count: number, seed = 1): Iterable<number> {
  let state = seed
  for (let index = 0; index < count; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    yield state
  }
}

const held = ({ hashes, counts }: HashCounts) =>
  new Map([...counts.entries()].filter(([, count]) => count !== 0).map(([slot, count]) => [hashes[slot], count]))

describe('counts by hash', () => {
  it.each([1, 255, 256, 257, 5000, 40_000])('holds what a Map would, %i additions', (additions) => {
    const [table, map] = [new HashCounts(), new Map<number, number>()]
    for (const number of numbers(additions)) {
      // many come again, and many of them fall into one slot
      const hash = number % 3 === 0 ? number : (number % 700) << 12
      const amount = 0.5 + (number & 7)
      table.add(hash, amount)
      map.set(hash, (map.get(hash) ?? 0) + amount)
    }
    expect(held(table)).toEqual(map)
    for (const [hash, count] of map) expect(table.get(hash)).toBe(count)
    for (const hash of numbers(500, 99)) expect(table.get(hash)).toBe(map.get(hash) ?? 0)
  })

  it('takes a hash with and without its sign for the same, and zero for one like any other', () => {
    const table = new HashCounts()
    table.add(-1, 2)
    table.add(0, 3)
    expect([table.get(0xffff_ffff), table.get(-1), table.get(0), table.get(1)]).toEqual([2, 2, 3, 0])
  })

  it('is the same again from its two arrays', () => {
    const table = new HashCounts()
    for (const hash of numbers(1000)) table.add(hash, 1)
    const copy = new HashCounts(structuredClone({ hashes: table.hashes, counts: table.counts }))
    for (const hash of numbers(1000, 7)) for (const each of [table, copy]) each.add(hash, 1)
    expect(held(copy)).toEqual(held(table))
  })
})
