import { allTime, monthOf } from '../roll-ups/cell-changes.ts'

/** Days from `from` to `to`, both included, as 20261121; null for an open end. */
export interface Period {
  readonly from: number | null
  readonly to: number | null
}

export const isAllTime = ({ from, to }: Period): boolean => from === null && to === null

/** Ranges of time that make up a period: buckets to add and, where that is shorter, to subtract. */
export interface PeriodBuckets {
  readonly plus: readonly BucketRange[]
  readonly minus: readonly BucketRange[]
}

/** Buckets of one kind, both ends included: 202601 to 202612, or 20261101 to 20261130. */
export interface BucketRange {
  readonly from: number
  readonly to: number
}

const firstMonth = 101
const lastMonth = 999_912
const middle = 16

/** Splits a period into whole months and days at its ends; a partial month is its days, or the month minus the other days. */
export function bucketsOfPeriod({ from, to }: Period): PeriodBuckets {
  if (from === null && to === null) return { plus: [{ from: allTime, to: allTime }], minus: [] }
  const plus: BucketRange[] = []
  const minus: BucketRange[] = []
  const [start, end] = [from === null ? firstMonth : monthOf(from), to === null ? lastMonth : monthOf(to)]
  if (from !== null && to !== null && start === end) return { plus: [{ from, to }], minus }
  let [first, last] = [start, end]
  if (from !== null && from % 100 > middle) {
    plus.push({ from, to: start * 100 + 31 })
    first = start + 1
  } else if (from !== null && from % 100 > 1) minus.push({ from: start * 100 + 1, to: from - 1 })
  if (to !== null && to % 100 < middle) {
    plus.push({ from: end * 100 + 1, to })
    last = end - 1
  } else if (to !== null && to % 100 < 31) minus.push({ from: to + 1, to: end * 100 + 31 })
  if (first <= last) plus.push({ from: first, to: last })
  return { plus, minus }
}
