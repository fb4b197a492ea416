import type { ContentText, ContentView } from '../../shared/content/text/content-view.ts'

/** as many as the service tells */
const mostAbove = 99

/** What the service would tell of a text, from all texts of a tree, each after the one above it. @param id - undefined for the root */
export function viewIn(texts: readonly ContentText[], id: string | undefined, keptAt: string | undefined): ContentView | undefined {
  const node = id === undefined ? texts[0] : texts.find((text) => text.id === id)
  if (node === undefined) return undefined
  const all = waysTo(texts, node)
  const ancestors = all.slice(-mostAbove).map(({ id, title, locale }) => ({ id, title, locale }))
  return {
    node: { ...node, path: [...ancestors.map((above) => above.id), node.id], path_truncated: ancestors.length < all.length },
    ancestors,
    children: texts.filter(({ parent_id }) => parent_id === node.id),
    next: undefined,
    snapshotAt: undefined,
    keptAt,
  }
}

/** The texts above one, from the root down. */
function waysTo(texts: readonly ContentText[], { parent_id }: ContentText): readonly ContentText[] {
  const byId = new Map(texts.map((text) => [text.id, text]))
  const above: ContentText[] = []
  for (let at = byId.get(parent_id ?? ''); at !== undefined; at = byId.get(at.parent_id ?? '')) above.unshift(at)
  return above
}
