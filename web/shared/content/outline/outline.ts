import type { ContentText, ContentView, TextAncestor } from '../place/content-view.ts'

/** A text as far as it is loaded: ancestors have a title only. */
export type LoadedText = TextAncestor & Partial<ContentText>

/** A text with the loaded part of its children. */
export interface Branch {
  readonly text: LoadedText
  readonly children: readonly string[]
  /** found by another way than the list of children */
  readonly apart: string | undefined
  /** cursor of the next page */
  readonly next: string | undefined
  readonly isRead: boolean
  readonly isOpen: boolean
}

/** The loaded part of a tree, by text id. */
export interface Outline {
  readonly branches: ReadonlyMap<string, Branch>
  /** id of the topmost displayed text; undefined: nothing is displayed yet */
  readonly top: string | undefined
}

export const emptyOutline: Outline = { branches: new Map(), top: undefined }

/** displayed levels above the text; the breadcrumb shows the others */
const levelsAbove = 4

/** Adds a text with its ancestors and children, and opens them. */
export function withView(outline: Outline, { node, ancestors, children, next }: ContentView): Outline {
  const path = [...ancestors, node].slice(-levelsAbove - 1)
  let after = filled(withTexts(outline, [...path, node]), node.id, { children, next }, true)
  for (const [at, above] of path.slice(0, -1).entries()) {
    const below = path[at + 1]?.id ?? node.id
    after = changed(after, above.id, () => ({ isOpen: true, apart: below }))
  }
  after = changed(after, node.id, () => ({ isOpen: children.length > 0 }))
  return { ...after, top: path[0]?.id ?? node.id }
}

/** Adds a page of children. */
export function filled(
  outline: Outline,
  id: string,
  { children, next }: { readonly children: readonly ContentText[]; readonly next: string | undefined },
  isFirst: boolean,
): Outline {
  return changed(withTexts(outline, children), id, (branch) => {
    const read = children.map((child) => child.id)
    const before = isFirst ? [] : branch.children.filter((child) => !read.includes(child))
    return { children: [...before, ...read], next, isRead: true }
  })
}

export const opened = (outline: Outline, id: string, isOpen: boolean): Outline => changed(outline, id, () => ({ isOpen }))

/** Marks everything for reloading; the loaded part stays until then. */
export const stale = (outline: Outline): Outline => ({
  ...outline,
  branches: new Map([...outline.branches].map(([id, branch]) => [id, { ...branch, isRead: false }])),
})

/** Returns open visible branches that are not loaded. */
export function unread({ branches, top }: Outline): readonly string[] {
  const ids: string[] = []
  const visit = (id: string): void => {
    const branch = branches.get(id)
    if (branch?.isOpen !== true) return
    if (!branch.isRead) ids.push(id)
    for (const child of shownIn(branch)) visit(child)
  }
  if (top !== undefined) visit(top)
  return ids
}

/** Returns the children of a branch in order; one found by another way comes last. */
export function shownIn({ children, apart, isRead, next }: Branch): readonly string[] {
  const isApart = apart !== undefined && !children.includes(apart) && (!isRead || next !== undefined)
  return isApart ? [...children, apart] : children
}

/** Returns the loaded children of a text. */
export const childrenOf = ({ branches }: Outline, id: string | undefined): readonly LoadedText[] =>
  (branches.get(id ?? '')?.children ?? []).flatMap((child) => branches.get(child)?.text ?? [])

/** Returns the loaded siblings before and after a text. */
export function beside(outline: Outline, id: string, parentId: string | null): readonly [LoadedText | undefined, LoadedText | undefined] {
  const siblings = childrenOf(outline, parentId ?? undefined)
  const at = siblings.findIndex((each) => each.id === id)
  return at < 0 ? [undefined, undefined] : [siblings[at - 1], siblings[at + 1]]
}

function withTexts(outline: Outline, texts: readonly LoadedText[]): Outline {
  const branches = new Map(outline.branches)
  for (const text of texts) {
    const before = branches.get(text.id)
    branches.set(text.id, before === undefined ? { ...unknown, text } : { ...before, text: { ...before.text, ...text } })
  }
  return { ...outline, branches }
}

const unknown = { children: [], apart: undefined, next: undefined, isRead: false, isOpen: false } as const

function changed(outline: Outline, id: string, change: (branch: Branch) => Partial<Branch>): Outline {
  const branch = outline.branches.get(id)
  if (branch === undefined) return outline
  return { ...outline, branches: new Map(outline.branches).set(id, { ...branch, ...change(branch) }) }
}
