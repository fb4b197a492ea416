/** The smallest value with at least this share of all values at or below it. @param sorted - ascending   @param share - 0 to 1 */
export const percentile = (sorted: readonly number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
