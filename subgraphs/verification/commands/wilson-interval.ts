/** of the normal distribution: 95 of 100 lie below */
const z = 1.645

/**
 * What a rate is not above, with 95 % certainty.
 * @param count - of `of`, how many it was   @returns 0 to 1; 1 where nothing was looked at
 * @see Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927)
 */
export function wilsonUpper(count: number, of: number): number {
  if (of === 0) return 1
  const share = count / of
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return Math.min(1, (share + (z * z) / (2 * of) + spread) / (1 + (z * z) / of))
}
