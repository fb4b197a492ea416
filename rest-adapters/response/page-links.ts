/** Parameters of a page; undefined ones are omitted. */
type Parameters = Readonly<Record<string, string | undefined>>

/**
 * Formats a `Link` header of neighbouring pages (RFC 8288). @param query - query string of the request without the question mark, kept in the links
 * @param pages - in output order
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
