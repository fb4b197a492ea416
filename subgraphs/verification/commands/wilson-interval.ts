/** 95 % quantile of the normal distribution */
const z = 1.645

/**
 * Returns the upper bound of a rate at 95 % confidence.
 * @param count - positive cases of `of`  @returns 0 to 1; 1 without cases
 * @see Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927)
 */
export function wilsonUpper(count: number, of: number): number {
  if (of === 0) return 1
  const share = count / of
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return Math.min(1, (share + (z * z) / (2 * of) + spread) / (1 + (z * z) / of))
}
