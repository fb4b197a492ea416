/** A partition of a tree's rows: keys from its first one up to that of the next bucket. */
export interface Bucket {
  readonly id: number
  /** '' for the first bucket */
  readonly first: string
  /** number of rows written, including superseded ones */
  readonly rows: number
}

/** The buckets of one version, in key order. Never empty. */
export type Buckets = readonly Bucket[]

export const oneBucket: Buckets = [{ id: 0, first: '', rows: 0 }]

/** Sizes of a bucket, in rows. */
export interface BucketSize {
  /** size beyond which it is split */
  readonly max: number
  /** size of the parts */
  readonly target: number
}
/** Cassandra recommends fewer than 100,000 rows per partition */
export const bucketSize: BucketSize = { max: 50_000, target: 20_000 }

/** Returns the index of the bucket that contains a key. */
export function bucketAt(buckets: Buckets, key: string): number {
  let [low, high] = [0, buckets.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((buckets[middle]?.first ?? '') <= key) low = middle
    else high = middle
  }
  return low
}

/** A range of keys in one bucket, greater than `after`, less than `before`. */
export interface Range {
  readonly bucket: number
  /** undefined: to the end of the bucket */
  readonly before: string | undefined
}

/** Returns the buckets from a key on, each with its end. */
export function rangesFrom(buckets: Buckets, key: string): readonly Range[] {
  return buckets.slice(bucketAt(buckets, key)).map(({ id }, at, all) => {
    const next = buckets[buckets.length - all.length + at + 1]
    return { bucket: id, before: next?.first }
  })
}

/**
 * Splits buckets that would become too large. @param keys - all keys of the new version, in order
 * @returns the new buckets, and the key ranges whose rows must be copied to another bucket
 */
export function splitFor(
  buckets: Buckets,
  keys: readonly string[],
  { max, target }: BucketSize = bucketSize,
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
    if (count > max || (bucket.rows > max && count > 1)) {
      const parts = Math.max(2, Math.ceil(count / target))
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

export const isCrowded = (buckets: Buckets, { max }: BucketSize): boolean => buckets.some(({ rows }) => rows > max)
