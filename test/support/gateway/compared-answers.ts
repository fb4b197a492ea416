/** A place in an answer. */
export type Path = readonly (string | number)[]

/**
 * Places at which the second of two answers does not say what the first says. Where the first says null, the second may say more.
 * @param isReported - whether an error says why the second has null, or nothing, at a place
 */
export function differences(one: unknown, other: unknown, isReported: (place: Path) => boolean, path: Path = []): readonly string[] {
  if (one === null || (other === null && isReported(path)) || (other === undefined && isReported(path.slice(0, -1)))) return []
  if (!isObject(one) || !isObject(other)) return one === other ? [] : [path.join('.')]
  return Object.keys(one).flatMap((name) =>
    differences(one[name], other[name], isReported, [...path, Array.isArray(one) ? Number(name) : name]),
  )
}

// The check is what makes it one; its members stay unknown.
export const isObject = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null
