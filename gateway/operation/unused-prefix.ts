/** Returns a prefix that none of the names has. @param wanted - start of the prefix */
export function unusedPrefix(names: Iterable<string>, wanted: string): string {
  const all = [...names]
  let prefix = wanted
  while (all.some((name) => name.startsWith(prefix))) prefix += '_'
  return prefix
}
