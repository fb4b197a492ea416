/** A partition of a tree's rows: those from its first key up to that of the next bucket. */
export interface Bucket {
  readonly id: number
  /** '' for the first one */
  readonly first: string
  /** rows that were written to it, superseded ones included */
  readonly rows: number
}

/** Where the rows of one version lie, in the order of keys. Never empty. */
export type Buckets = readonly Bucket[]

export const oneBucket: Buckets = [{ id: 0, first: '', rows: 0 }]

/** How many rows a bucket holds. */
export interface BucketSize {
  /** beyond so many it is split */
  readonly most: number
  /** into ones of this size */
  readonly usual: number
}
/** Cassandra wants fewer than 100,000 rows in a partition */
export const bucketSize: BucketSize = { most: 50_000, usual: 20_000 }

/** Index of the bucket that holds a key. */
export function bucketAt(buckets: Buckets, key: string): number {
  let [low, high] = [0, buckets.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((buckets[middle]?.first ?? '') <= key) low = middle
    else high = middle
  }
  return low
}

/** A part of the keys: in one bucket, greater than `after`, less than `before`. */
export interface Range {
  readonly bucket: number
  /** undefined: up to the end of the bucket's rows */
  readonly before: string | undefined
}

/** The buckets from a key on, each with where it ends. */
export function rangesFrom(buckets: Buckets, key: string): readonly Range[] {
  return buckets.slice(bucketAt(buckets, key)).map(({ id }, at, all) => {
    const next = buckets[buckets.length - all.length + at + 1]
    return { bucket: id, before: next?.first }
  })
}

/**
 * Splits buckets that would become too large.
 * @param keys - all keys that the version will have, in order
 * @returns the new buckets, and the keys ranges whose rows must be copied to a bucket of their own
 */
export function splitFor(
  buckets: Buckets,
  keys: readonly string[],
  { most, usual }: BucketSize = bucketSize,
): { readonly buckets: Buckets; readonly moved: readonly Bucket[] } {
  let next = Math.max(...buckets.map(({ id }) => id)) + 1
  const moved: Bucket[] = []
  const all: Bucket[] = []
  let from = 0
  for (const [at, bucket] of buckets.entries()) {
    const end = buckets[at + 1]?.first
    let to = from
    while (to < keys.length && (end === undefined || (keys[to] ?? '') < end)) to++
    const count = to - from
    all.push(bucket)
    if (count > most || (bucket.rows > most && count > 1)) {
      const parts = Math.max(2, Math.ceil(count / usual))
      all[all.length - 1] = { ...bucket, rows: Math.ceil(count / parts) }
      for (let part = 1; part < parts; part++) {
        const first = keys[from + Math.floor((count * part) / parts)] ?? ''
        const split = { id: next++, first, rows: 0 }
        all.push(split)
        moved.push(split)
      }
    }
    from = to
  }
  return { buckets: all, moved }
}

export const isCrowded = (buckets: Buckets, { most }: BucketSize): boolean => buckets.some(({ rows }) => rows > most)
