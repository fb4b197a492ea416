/** What one item of a changelog names: all that stands between its backquotes. */
export type Said = ReadonlySet<string>

/**
 * What the changelog says has changed since a release, an item each.
 * @throws {Error} when it has no part on that release: everything would be taken for new
 */
export function saidSince(release: string, changelog: string): readonly Said[] {
  const parts = changelog.split(/^## /m).slice(1)
  const known = parts.findIndex((part) => part.split(/[\s,]/, 1)[0] === release)
  if (known === -1) throw new Error(`the changelog has no part on ${release}`)
  const items = parts.slice(0, known).flatMap((part) => part.split(/^- /m).slice(1))
  return items.map((item) => new Set([...item.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}
