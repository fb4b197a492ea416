import type { ChildPage, ContentText, ContentView, TextAncestor } from '../../shared/content/place/content-view.ts'

/** A text as far as it is loaded: ancestors have a title only. */
export type PyramidText = TextAncestor & Partial<Pick<ContentText, 'summary' | 'children_count'>>

/**
 * A text with its loaded children and its measures. Widths are in units: a closed text is one unit wide, an open one as wide as its
 * children together.
 */
export interface PyramidNode {
  readonly id: string
  text: PyramidText
  /** 0 for the root of the tree */
  readonly depth: number
  parent: PyramidNode | undefined
  /** position among the loaded children of its parent */
  index: number
  /** the first `listed` ones in their order, then those that were found by another way */
  children: PyramidNode[]
  listed: number
  /** cursor of the next page of children */
  next: string | undefined
  isOpen: boolean
  /** whether the first page of children is loaded */
  isRead: boolean
  /** request for its children */
  request: 'none' | 'pending' | 'failed'
  width: number
  /** shown levels below */
  height: number
  /** distance of each child from the start edge, and at the end the total width */
  starts: readonly number[]
  /** the current text, or an ancestor of it */
  isOnPath: boolean
}

/** The loaded part of a tenant's tree, from the topmost loaded text down. */
export class PyramidTree {
  readonly #nodes = new Map<string, PyramidNode>()
  top: PyramidNode | undefined
  /** the text that has, or would take, the focus */
  current: PyramidNode | undefined

  get(id: string): PyramidNode | undefined {
    return this.#nodes.get(id)
  }

  get size(): number {
    return this.#nodes.size
  }

  /** Adds a text with its ancestors and children, and opens its ancestors. Loaded texts that are not connected to it are dropped. */
  addView({ node, ancestors, children, next }: ContentView): PyramidNode {
    const former = this.top
    const added = this.#put(node, node.depth)
    this.addAncestors(added, ancestors)
    if (former !== undefined && topOf(former) !== this.top) this.#replace(topOf(former), topOf(added))
    this.addPage(added, { children, next }, true)
    return added
  }

  /** Adds the ancestors of a text, topmost first, and opens them. */
  addAncestors(node: PyramidNode, ancestors: readonly PyramidText[]): void {
    let child = node
    for (const [distance, text] of ancestors.toReversed().entries()) {
      const above = this.#put(text, node.depth - 1 - distance)
      this.#attach(above, child)
      above.isOpen = true
      child = above
    }
    this.top = topOf(child)
    if (this.current !== undefined) this.setCurrent(this.current)
    this.#measureUpwards(node, true)
  }

  /** Adds a page of children. @param isFirst - replaces the loaded children, except for the path to the current text */
  addPage(parent: PyramidNode, { children, next }: ChildPage, isFirst: boolean): void {
    const read = children.map((text) => this.#put(text, parent.depth + 1, parent))
    const ids = new Set(read)
    const before = parent.children.slice(0, parent.listed).filter((each) => !ids.has(each))
    const unlisted = parent.children.slice(parent.listed).filter((each) => !ids.has(each))
    // texts that the complete list does not contain were removed
    const kept = isFirst ? (next === undefined ? [] : [...before, ...unlisted].filter((each) => each.isOnPath)) : unlisted
    const listed = isFirst ? read : [...before, ...read]
    for (const each of parent.children) if (!ids.has(each) && !listed.includes(each) && !kept.includes(each)) this.#forget(each)
    parent.children = [...listed, ...kept]
    parent.listed = listed.length
    parent.next = next
    parent.isRead = true
    parent.request = 'none'
    if (next === undefined) parent.text = { ...parent.text, children_count: listed.length }
    if (this.current !== undefined && !this.#nodes.has(this.current.id)) this.setCurrent(parent)
    this.#measureUpwards(parent)
  }

  setOpen(node: PyramidNode, isOpen: boolean): void {
    if (node.isOpen === isOpen) return
    node.isOpen = isOpen
    if (!isOpen && node.isOnPath) this.setCurrent(node)
    this.#measureUpwards(node)
  }

  /** Removes a text that no longer exists. @returns its parent */
  remove(node: PyramidNode): PyramidNode | undefined {
    const { parent } = node
    if (node.isOnPath && parent !== undefined) this.setCurrent(parent)
    this.#forget(node)
    if (parent === undefined) {
      this.top = undefined
      this.current = undefined
      return undefined
    }
    if (node.index < parent.listed) parent.listed--
    parent.children = parent.children.filter((each) => each !== node)
    const { children_count } = parent.text
    if (children_count !== undefined) parent.text = { ...parent.text, children_count: Math.max(0, children_count - 1) }
    this.#measureUpwards(parent)
    return parent
  }

  setCurrent(node: PyramidNode): void {
    for (let each = this.current; each !== undefined; each = each.parent) each.isOnPath = false
    for (let each: PyramidNode | undefined = node; each !== undefined; each = each.parent) each.isOnPath = true
    this.current = node
  }

  /** Adds or updates a text. */
  #put(text: PyramidText, depth: number, parent?: PyramidNode): PyramidNode {
    const found = this.#nodes.get(text.id)
    if (found !== undefined && found.depth === depth && (parent === undefined || found.parent === parent)) {
      found.text = { ...found.text, ...text }
      return found
    }
    if (found !== undefined) this.#detach(found)
    const node: PyramidNode = {
      ...{ id: text.id, text, depth, parent, index: 0, children: [], listed: 0, next: undefined, isOpen: false, isRead: false },
      ...{ request: 'none', width: 1, height: 0, starts: [0], isOnPath: false },
    }
    this.#nodes.set(node.id, node)
    return node
  }

  /** Makes a text a child of another, if it is not one yet. */
  #attach(parent: PyramidNode, child: PyramidNode): void {
    if (child.parent === parent && parent.children[child.index] === child) return
    if (child.parent !== undefined) this.#detach(child)
    child.parent = parent
    parent.children = [...parent.children, child]
    child.index = parent.children.length - 1
  }

  /** Removes a text that moved from the children of its former parent. */
  #detach(node: PyramidNode): void {
    const { parent } = node
    this.#forget(node)
    if (parent === undefined) return
    if (node.index < parent.listed) parent.listed--
    parent.children = parent.children.filter((each) => each !== node)
    if (node.isOnPath) this.setCurrent(parent)
    this.#measureUpwards(parent)
  }

  #forget(top: PyramidNode): void {
    for (const waiting = [top]; ; ) {
      const node = waiting.pop()
      if (node === undefined) return
      if (this.#nodes.get(node.id) === node) this.#nodes.delete(node.id)
      for (const child of node.children) if (child.parent === node) waiting.push(child)
    }
  }

  /** Drops the loaded tree that is not connected to the new one. */
  #replace(former: PyramidNode, top: PyramidNode): void {
    this.#forget(former)
    for (const waiting = [top]; ; ) {
      const node = waiting.pop()
      if (node === undefined) break
      this.#nodes.set(node.id, node)
      waiting.push(...node.children)
    }
    this.current = undefined
  }

  /** Measures a text and its ancestors again. */
  #measureUpwards(node: PyramidNode, isWholePath = false): void {
    measure(node)
    for (let each = node.parent; each !== undefined; each = each.parent) {
      const { width, height } = each
      measure(each)
      if (!isWholePath && each.width === width && each.height === height) return
    }
  }
}

/** Returns the children that are shown. */
export const shownChildren = (node: PyramidNode): readonly PyramidNode[] => (node.isOpen ? node.children : [])

/** Whether a text has children, loaded or not. */
export const isBranch = ({ text, children }: PyramidNode): boolean => (text.children_count ?? children.length) > 0 || children.length > 0

/** Number of children that no page contained yet. */
export const remainingOf = ({ text, children, next }: PyramidNode): number =>
  next === undefined ? 0 : Math.max(1, (text.children_count ?? 0) - children.length)

export function topOf(node: PyramidNode): PyramidNode {
  let top = node
  while (top.parent !== undefined) top = top.parent
  return top
}

/** Returns the distance of a text from the start edge of the tree. */
export function startOf(node: PyramidNode): number {
  let start = 0
  for (let at = node; at.parent !== undefined; at = at.parent) start += at.parent.starts[at.index] ?? 0
  return start
}

/** Returns a text and its ancestors, topmost first. */
export function pathTo(node: PyramidNode | undefined): readonly PyramidNode[] {
  const path: PyramidNode[] = []
  for (let at = node; at !== undefined; at = at.parent) path.push(at)
  return path.reverse()
}

/** Returns the next or previous text in the same row, a cousin included. */
export function besideInRow(node: PyramidNode, step: 1 | -1): PyramidNode | undefined {
  const firstOf = ({ length }: readonly PyramidNode[]): number => (step === 1 ? 0 : length - 1)
  // upwards to a text with a further sibling, then down its shown children to the same row
  let at = node
  for (;;) {
    const next = at.parent?.children[at.index + step]
    if (next === undefined) {
      if (at.parent === undefined) return undefined
      at = at.parent
      continue
    }
    at = next
    while (at.depth < node.depth) {
      const below = shownChildren(at)
      const child = below[firstOf(below)]
      if (child === undefined) break
      at = child
    }
    if (at.depth === node.depth) return at
  }
}

/** Returns the last shown text in pre-order. */
export function lastShown(top: PyramidNode): PyramidNode {
  let last = top
  for (let child = shownChildren(last).at(-1); child !== undefined; child = shownChildren(last).at(-1)) last = child
  return last
}

/** Returns the next shown text in pre-order. */
function nextShown(node: PyramidNode): PyramidNode | undefined {
  const [child] = shownChildren(node)
  if (child !== undefined) return child
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const next = at.parent.children[at.index + 1]
    if (next !== undefined) return next
  }
  return undefined
}

/** Returns the next shown text, from the first one again after the last one, that a test accepts. @param from - is tried last */
export function findShown(from: PyramidNode, accepts: (node: PyramidNode) => boolean): PyramidNode | undefined {
  const top = topOf(from)
  for (let node = nextShown(from) ?? top; ; node = nextShown(node) ?? top) {
    if (accepts(node)) return node
    if (node === from) return undefined
  }
}

function measure(node: PyramidNode): void {
  const starts = [0]
  let width = 0
  let height = -1
  for (const [index, child] of node.children.entries()) {
    child.index = index
    width += child.width
    height = Math.max(height, child.height)
    starts.push(width)
  }
  node.starts = starts
  const shownWidth = width + (node.next === undefined ? 0 : 1)
  node.width = node.isOpen ? Math.max(1, shownWidth) : 1
  node.height = node.isOpen && (isBranch(node) || node.request !== 'none') ? 1 + Math.max(0, height) : 0
}
