/**
 * Returns the size of a cache: as wanted, and at most a share of the memory that the control group of the process allows.
 * @param limit - of the control group; a huge number or 0 without one
 */
export function withinMemory(wantedBytes: number, share: number, limit = process.constrainedMemory()): number {
  return limit > 0 && Number.isFinite(limit) ? Math.min(wantedBytes, Math.floor(limit * share)) : wantedBytes
}
