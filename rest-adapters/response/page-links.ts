/** Parameters that lead to a page; one that is undefined is left out. */
type Parameters = Readonly<Record<string, string | undefined>>

/**
 * The pages around this one as a `Link` header (RFC 8288).
 * @param query - what was asked, without the question mark: the links keep it   @param pages - in the order in which they are to stand
 */
export function pageLinks(path: string, query: string, pages: readonly (readonly [relation: string, to: Parameters])[]): string {
  return pages
    .map(([relation, to]) => {
      const target = new URLSearchParams(query)
      for (const [name, value] of Object.entries(to))
        if (value === undefined) target.delete(name)
        else target.set(name, value)
      return `<${path}${target.size === 0 ? '' : `?${target}`}>; rel="${relation}"`
    })
    .join(', ')
}
