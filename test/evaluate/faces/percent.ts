/** Formats a percentage; small ones with two significant digits. @param share - 0 to 1 */
export const percent = (share: number): string => `${share > 0 && share < 0.01 ? (100 * share).toPrecision(2) : (100 * share).toFixed(1)} %`
