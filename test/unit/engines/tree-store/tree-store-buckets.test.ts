import { describe, expect, it } from 'vitest'
import { type Buckets, bucketAt, oneBucket, splitFor } from '../../../../engines/tree-store/cassandra/tree-buckets.ts'
import { keysBetween } from '../../../../engines/tree-store/order-keys.ts'

/** Returns the number of keys in each bucket. */
function counts(buckets: Buckets, keys: readonly string[]): readonly number[] {
  const totals = new Array<number>(buckets.length).fill(0)
  for (const key of keys) {
    const at = bucketAt(buckets, key)
    totals[at] = (totals[at] ?? 0) + 1
  }
  return totals
}

describe('partitions of a tree on Cassandra', () => {
  it('hold at most 50,000 rows for any batch size, and are split further as rows are added', () => {
    const keys = keysBetween(undefined, undefined, 300_000)
    const some = keys.filter((_, at) => at % 3 === 0)
    const first = splitFor(oneBucket, some).buckets
    expect(Math.max(...counts(first, some))).toBeLessThanOrEqual(50_000)
    const second = splitFor(first, keys).buckets
    const rows = counts(second, keys)
    expect(Math.max(...rows)).toBeLessThanOrEqual(50_000)
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(300_000)
    expect(new Set(second.map(({ id }) => id)).size).toBe(second.length)
  })

  it('are split when single changes have made them large, and are not split while they are small', () => {
    const keys = keysBetween(undefined, undefined, 30_000)
    expect(splitFor(oneBucket, keys)).toEqual({ buckets: oneBucket, moved: [] })
    const { buckets, moved } = splitFor([{ id: 7, first: '', rows: 60_000 }], keys)
    expect(counts(buckets, keys)).toEqual([15_000, 15_000])
    expect(moved).toEqual([expect.objectContaining({ id: 8, first: keys[15_000] })])
  })
})
