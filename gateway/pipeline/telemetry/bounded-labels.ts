/** Label values of a metric, limited in number. */
export interface BoundedLabels {
  /** Returns the value itself, or `other`. @param isKnown - whether it is accepted at its first occurrence */
  of(value: string, isKnown?: () => boolean): string
}

export interface LabelBounds {
  /** maximum number of values in addition to `other` */
  readonly max: number
  /** occurrences before a value gets its own label (default: first) */
  readonly after?: number
}

/** Accepted form of a label value; excludes long texts and personal numbers. */
const acceptable = /^[A-Za-z_]\w{0,63}$/
/** Maximum number of counted values; the rarest are dropped beyond it. */
const maxCounted = 1000

/** Gives the first frequent values labels of their own up to the limit: a Prometheus series cannot be removed. */
export function boundedLabels({ max, after = 1 }: LabelBounds): BoundedLabels {
  const labels = new Set<string>()
  const counts = new Map<string, number>()
  const other = 'other'
  return {
    of(value, isKnown) {
      if (labels.has(value)) return value
      if (labels.size >= max || !acceptable.test(value)) return other
      const count = (counts.get(value) ?? 0) + 1
      if (count < after && isKnown?.() !== true) {
        if (counts.size >= maxCounted && !counts.has(value)) forgetRare(counts)
        counts.set(value, count)
        return other
      }
      counts.delete(value)
      labels.add(value)
      return value
    },
  }
}

/** Drops values that occurred once, or all if every one occurred more often. */
function forgetRare(counts: Map<string, number>): void {
  for (const [value, count] of counts) if (count === 1) counts.delete(value)
  if (counts.size >= maxCounted) counts.clear()
}
