/** Whether arrays and objects are nested at most `levels` deep; scalars have depth 0. */
export function isNestedAtMost(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isNestedAtMost(member, levels - 1))
}
