/** The least of the values that this share of all is not above. @param sorted - ascending   @param share - 0 to 1 */
export const percentile = (sorted: readonly number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
