/** A path in a response. */
export type Path = readonly (string | number)[]

/**
 * Returns the paths at which the second response differs from the first. Where the first is null, the second may have a value.
 * @param isReported - whether an error explains a null or a missing value of the second at a path
 */
export function differences(one: unknown, other: unknown, isReported: (place: Path) => boolean, path: Path = []): readonly string[] {
  if (one === null || (other === null && isReported(path)) || (other === undefined && isReported(path.slice(0, -1)))) return []
  if (!isObject(one) || !isObject(other)) return one === other ? [] : [path.join('.')]
  return Object.keys(one).flatMap((name) =>
    differences(one[name], other[name], isReported, [...path, Array.isArray(one) ? Number(name) : name]),
  )
}

// this check makes it an object; its members remain unknown
export const isObject = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null
