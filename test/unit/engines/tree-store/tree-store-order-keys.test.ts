import { describe, expect, it } from 'vitest'
import { keyAfter, keyBetween, keysBetween, maxKeyLength, rearrangedKeys } from '../../../../engines/tree-store/order-keys.ts'
import { atOnce, inSteps } from '../../../../foundation/concurrency/steps.ts'
import { countTurns } from '../../../support/processes/event-loop-turns.ts'
import { randomFrom } from '../../../support/samples/random.ts'

const isSorted = (keys: readonly string[]): boolean => keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key)

describe('fractional keys', () => {
  it('lie between their neighbours at every position, and never end in 0', () => {
    for (const seed of [1, 2, 3]) {
      const next = randomFrom(seed)
      const keys: string[] = []
      for (let n = 0; n < 3000; n++) {
        const place = Math.floor(next() * (keys.length + 1))
        const key = (next() < 0.5 ? keyBetween : keyAfter)(keys[place - 1], keys[place])
        keys.splice(place, 0, key)
        expect(key).toMatch(/^[0-9A-Za-z]*[1-9A-Za-z]$/)
      }
      expect(isSorted(keys)).toBe(true)
    }
  })

  it('are short when many are created at once', () => {
    const keys = keysBetween('a', 'b', 100_000)
    expect(isSorted(['a', ...keys, 'b'])).toBe(true)
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(8)
  })

  it('stay within their limit for thousands of nodes appended in sequence', () => {
    let last: string | undefined = 'V'
    for (let n = 0; n < 10_000; n++) last = keyAfter(last, 'W')
    expect(last.length).toBeLessThan(maxKeyLength)
  })

  it('are unchanged where the order is unchanged: moving one item creates one key', () => {
    const present = keysBetween(undefined, undefined, 1000)
    const moved = [...present.slice(1, 700), present[0], ...present.slice(700)]
    const keys = atOnce(rearrangedKeys(moved))
    expect(isSorted(keys)).toBe(true)
    expect(keys.filter((key) => !present.includes(key)).length).toBe(1)
  })

  it('are in order for any permutation, with new items at any position', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const next = randomFrom(seed)
      const present: (string | undefined)[] = keysBetween(undefined, undefined, 200)
      for (let at = present.length - 1; at > 0; at--) {
        const other = Math.floor(next() * (at + 1))
        if (next() < seed / 50) [present[at], present[other]] = [present[other], present[at]]
      }
      for (let n = 0; n < 50; n++) present.splice(Math.floor(next() * present.length), 0, undefined)
      const keys = atOnce(rearrangedKeys(present))
      expect(keys).toHaveLength(present.length)
      expect(isSorted(keys)).toBe(true)
    }
  })

  it('are created for two hundred thousand new items in steps', async () => {
    const { turns, result } = await countTurns(() => inSteps(rearrangedKeys(Array.from({ length: 200_000 }))))
    expect(isSorted(result)).toBe(true)
    expect(result).toHaveLength(200_000)
    expect(turns).toBeGreaterThan(1)
  })

  it('are redistributed when they become too long', () => {
    const crowded = ['V', ...Array.from({ length: 40 }, (_, n) => `V${'0'.repeat(120)}${String(n + 10)}1`), 'W']
    const present: (string | undefined)[] = crowded.flatMap((key) => [key, undefined, undefined, undefined, undefined])
    const keys = atOnce(rearrangedKeys(present))
    expect(isSorted(keys)).toBe(true)
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(maxKeyLength)
  })
})
