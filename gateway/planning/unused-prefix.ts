/** With which none of the names begins. @param wanted - what it begins with itself */
export function unusedPrefix(names: Iterable<string>, wanted: string): string {
  const all = [...names]
  let prefix = wanted
  while (all.some((name) => name.startsWith(prefix))) prefix += '_'
  return prefix
}
