/** Values of a metric's label, of which there are never more than were allowed. */
export interface BoundedLabels {
  /** The value itself, or `other`. @param isKnown - whether it is one of those that need not come often first */
  of(value: string, isKnown?: () => boolean): string
}

export interface LabelBounds {
  /** values beside `other` */
  readonly max: number
  /** how often a value comes before it is told apart (default: at once) */
  readonly after?: number
}

/** A value of this form is told apart; nothing longer, and nothing that could be a sentence or a number of somebody. */
const acceptable = /^[A-Za-z_]\w{0,63}$/
/** Values that are counted before they are told apart: of more, those that came least are forgotten. */
const maxCounted = 1000

/** Told apart are those that come often enough first, until there are as many as may be: a series of Prometheus cannot be given back. */
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

/** Forgets what has come once, or everything when all have come more often. */
function forgetRare(counts: Map<string, number>): void {
  for (const [value, count] of counts) if (count === 1) counts.delete(value)
  if (counts.size >= maxCounted) counts.clear()
}
