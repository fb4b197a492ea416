/** Whether lists and objects stand within each other at most so many times; a value that is neither has no level. */
export function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isNestedAtMost(member, levels - 1))
}
