import type { ContentText, ContentView } from '../../shared/content/place/content-view.ts'

/** page size of the service */
const maxAncestors = 99

/** Answers a request for a text from all texts of a tree, parents first. @param id - undefined for the root */
export function viewIn(texts: readonly ContentText[], id: string | undefined, savedAt: string | undefined): ContentView | undefined {
  const node = id === undefined ? texts[0] : texts.find((text) => text.id === id)
  if (node === undefined) return undefined
  const all = ancestorsOf(texts, node)
  const ancestors = all.slice(-maxAncestors).map(({ id, title, locale }) => ({ id, title, locale }))
  return {
    node: { ...node, path: [...ancestors.map((above) => above.id), node.id], path_truncated: ancestors.length < all.length },
    ancestors,
    children: texts.filter(({ parent_id }) => parent_id === node.id),
    next: undefined,
    snapshotAt: undefined,
    savedAt,
  }
}

/** Returns the ancestors of a text, from the root. */
function ancestorsOf(texts: readonly ContentText[], { parent_id }: ContentText): readonly ContentText[] {
  const byId = new Map(texts.map((text) => [text.id, text]))
  const above: ContentText[] = []
  for (let at = byId.get(parent_id ?? ''); at !== undefined; at = byId.get(at.parent_id ?? '')) above.unshift(at)
  return above
}
