/** How long the upkeep of the search index waits for what; ms. */
export interface UpkeepWaits {
  /** so long the intake that took an expression in may still be putting it into the index itself */
  readonly intakeMs: number
  /** to look for what is new takes the index longer than anything else, however little it is */
  readonly gatherMs: number
  /** after a failure */
  readonly retryMs: number
  /** between two looks whether it is time to compare, or whether the index is another one */
  readonly lookEveryMs: number
  /** to the next comparison when something differed */
  readonly soonMs: number
  readonly tidyEveryMs: number
}

export const usualWaits: UpkeepWaits = {
  intakeMs: 3000,
  gatherMs: 1500,
  retryMs: 1000,
  lookEveryMs: 2000,
  soonMs: 5000,
  tidyEveryMs: 5000,
}
