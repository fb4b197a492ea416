/** Intervals of index maintenance in ms. */
export interface UpkeepIntervals {
  /** time during which ingestion may still be writing an expression to the index */
  readonly intakeMs: number
  /** batching interval: a lookup of new expressions is the most expensive operation of the index, whatever its size */
  readonly gatherMs: number
  /** after a failure */
  readonly retryMs: number
  /** interval between checks for a due comparison or a replaced index */
  readonly checkEveryMs: number
  /** until the next comparison after a difference */
  readonly soonMs: number
  readonly tidyEveryMs: number
}

export const defaultIntervals: UpkeepIntervals = {
  intakeMs: 3000,
  gatherMs: 1500,
  retryMs: 1000,
  checkEveryMs: 2000,
  soonMs: 5000,
  tidyEveryMs: 5000,
}
