import { isBranch, type PyramidNode, type PyramidTree, remainingOf, startOf } from './pyramid-tree.ts'

/** The displayed part of the tree. */
export interface Camera {
  /** units from the start edge of the tree to the middle of the window */
  readonly x: number
  /** rows from the top of the tree to the middle of the window */
  readonly y: number
  /** pixels of a unit */
  readonly unit: number
}

/** Size of the window in pixels. */
export interface WindowSize {
  readonly width: number
  readonly height: number
}

/** Position in the window in pixels, from its start edge. */
interface Box {
  readonly start: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A text in the picture. A wide one ends near the edges of the window. */
export interface Block extends Box {
  readonly node: PyramidNode
  /** its part outside of the window, at its start and its end: its title is in the middle of the other part */
  readonly cut: readonly [number, number]
}

/** What stands for texts that are not shown one by one. */
export interface Filler extends Box {
  readonly parent: PyramidNode
  readonly key: string
  /** several texts too narrow to be shown alone; further pages; children that are being loaded; a failed request */
  readonly kind: 'run' | 'more' | 'pending' | 'failed'
}

export interface Picture {
  /** in pre-order */
  readonly blocks: readonly Block[]
  readonly fillers: readonly Filler[]
  /** open texts in view whose children are to be loaded */
  readonly unread: readonly PyramidNode[]
  /** texts with a further page of children whose place is in view and readable */
  readonly continued: readonly PyramidNode[]
  /** the top row is in view, and texts above it are not loaded */
  readonly isCutInView: boolean
}

export const maxUnit = 420
/** smallest unit at which a title is readable */
const readableUnit = 64
/** narrower texts are shown as a run */
const minBlock = 20
/** wider blocks are cut at the edges of the window */
const maxUncut = 260
/** cut edges are this far outside of the window */
const outside = 24
/** pixels between blocks */
const gap = 4
/** narrowest block of the text that has the focus */
const minCurrent = 32
/** space around the tree */
const margin = 16

/** Returns the height of a row: rows shrink less than units, so that wide blocks stay readable from afar. */
export const rowHeight = (unit: number): number => Math.min(190, Math.max(36, 20 + 0.5 * unit))

/** Returns the unit at which the whole tree fits. */
export const fittingUnit = (tree: PyramidTree, { width }: WindowSize): number =>
  Math.min(maxUnit, (width - 2 * margin) / (tree.top?.width ?? 1))

/** Returns the unit of the first picture: the tree fills the window, as far as titles stay readable. */
export const firstUnit = (tree: PyramidTree, size: WindowSize): number => Math.min(176, Math.max(112, fittingUnit(tree, size)))

/** Returns the camera within its bounds: a tree smaller than the window stays in its middle, at the top. */
export function bounded(tree: PyramidTree, { x, y, unit }: Camera, size: WindowSize): Camera {
  const min = Math.min(40, fittingUnit(tree, size))
  const within = Math.min(maxUnit, Math.max(min, unit))
  const { width = 1, height = 0 } = tree.top ?? {}
  const halfX = (size.width / 2 - margin) / within
  const halfY = (size.height / 2 - margin) / rowHeight(within)
  return {
    x: width <= 2 * halfX ? width / 2 : Math.min(width - halfX, Math.max(halfX, x)),
    y: Math.max(halfY, Math.min(height + 1 - halfY, y)),
    unit: within,
  }
}

/** Zooms around a point of the window, whose text stays in place. @param at - pixels from the start edge and the top */
export function zoomed(camera: Camera, size: WindowSize, unit: number, at: { readonly start: number; readonly top: number }): Camera {
  const [dx, dy] = [at.start - size.width / 2, at.top - size.height / 2]
  return {
    x: camera.x + dx / camera.unit - dx / unit,
    y: camera.y + dy / rowHeight(camera.unit) - dy / rowHeight(unit),
    unit,
  }
}

/** Moves the camera by pixels towards the end edge and the bottom. */
export const moved = (camera: Camera, start: number, top: number): Camera => ({
  ...camera,
  x: camera.x + start / camera.unit,
  y: camera.y + top / rowHeight(camera.unit),
})

/** Returns the camera that shows a text, and its children if they are shown; it moves no further than necessary. */
export function revealing(tree: PyramidTree, node: PyramidNode, camera: Camera, size: WindowSize): Camera {
  const row = node.depth - (tree.top?.depth ?? 0)
  const halfX = (size.width / 2 - margin) / camera.unit
  const halfY = (size.height / 2 - margin) / rowHeight(camera.unit)
  const from = startOf(node)
  const rows = node.isOpen && isBranch(node) ? 2 : 1
  return bounded(
    tree,
    {
      x: showing(camera.x, halfX, from, from + node.width),
      y: showing(camera.y, halfY, row, row + Math.min(rows, 2 * halfY)),
      unit: camera.unit,
    },
    size,
  )
}

/** Moves the middle of a range so that an interval is inside of it, or fills it. */
function showing(middle: number, half: number, from: number, to: number): number {
  if (to - from <= 2 * half) return Math.min(from + half, Math.max(to - half, middle))
  // wider than the window: fills it, from its start if it was not in view
  return middle - half > to - half || middle + half < from + half ? from + half : Math.min(to - half, Math.max(from + half, middle))
}

/** Returns what is in the window. The current text is always included, so that it can have the focus. */
export function pictureOf(tree: PyramidTree, camera: Camera, size: WindowSize): Picture {
  const [blocks, fillers, unread, continued]: [Block[], Filler[], PyramidNode[], PyramidNode[]] = [[], [], [], []]
  const { top, current } = tree
  if (top === undefined) return { blocks, fillers, unread, continued, isCutInView: false }
  const { unit } = camera
  const height = rowHeight(unit)
  const startIn = (x: number): number => size.width / 2 + (x - camera.x) * unit
  const topIn = (row: number): number => size.height / 2 + (row - camera.y) * height
  const [left, right] = [camera.x - (size.width / 2 + outside) / unit, camera.x + (size.width / 2 + outside) / unit]
  const [firstRow, lastRow] = [camera.y - size.height / 2 / height - 1, camera.y + size.height / 2 / height]
  const boxAt = (from: number, to: number, row: number, inset = 0): Box => {
    const [start, end] = [startIn(from) + inset + gap / 2, startIn(to) - inset - gap / 2]
    const box = { top: topIn(row) + gap / 2, height: height - gap }
    if (end - start <= maxUncut) return { ...box, start, width: Math.max(2, end - start) }
    const [cutStart, cutEnd] = [Math.max(-outside, start), Math.min(size.width + outside, end)]
    return { ...box, start: cutStart, width: Math.max(2, cutEnd - cutStart) }
  }
  const blockOf = (node: PyramidNode, from: number, row: number): Block => {
    const box = boxAt(from, from + node.width, row, insetOf(node, unit))
    const isCut = box.width > maxUncut
    const cut = [isCut ? Math.max(0, -box.start) : 0, isCut ? Math.max(0, box.start + box.width - size.width) : 0] as const
    const isTooNarrow = node.isOnPath && box.width < minCurrent
    return { node, cut, ...box, ...(isTooNarrow && { start: box.start - (minCurrent - box.width) / 2, width: minCurrent }) }
  }

  const waiting: { readonly node: PyramidNode; readonly from: number }[] = [{ node: top, from: 0 }]
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, from } = step
    const row = node.depth - top.depth
    const isInView = row >= firstRow && row <= lastRow && from < right && from + node.width > left
    if (isInView || node === current) blocks.push(blockOf(node, from, row))
    if (!node.isOpen || (row + 1 > lastRow && !node.isOnPath)) continue
    const below = row + 1
    const isRowInView = below >= firstRow && below <= lastRow && from < right && from + node.width > left
    if (isRowInView && !node.isRead && isBranchOrUnknown(node)) {
      if (node.request === 'none') unread.push(node)
      if (node.children.length === 0) {
        const kind = node.request === 'failed' ? 'failed' : 'pending'
        fillers.push({ parent: node, key: `${kind} ${node.id}`, kind, ...boxAt(from, from + 1, below) })
      }
    }
    if (node.next !== undefined && node.isRead) {
      const end = from + node.width
      if (isRowInView && end > left && end - 1 < right) {
        const kind = node.request === 'failed' ? 'failed' : 'more'
        fillers.push({ parent: node, key: `more ${node.id}`, kind, ...boxAt(end - 1, end, below) })
        // beside a text that was found by another way, pages would follow each other without end
        const isAtEnd = node.listed === node.children.length
        if (unit >= readableUnit && isAtEnd && node.request === 'none' && remainingOf(node) > 0) continued.push(node)
      }
    }
    visitChildren(node, from, below)
  }
  return { blocks, fillers, unread, continued, isCutInView: top.depth > 0 && firstRow <= 0 }

  /** Adds the children in view to the stack, the first one last. */
  function visitChildren(node: PyramidNode, from: number, row: number): void {
    const { children, starts } = node
    const isDrawn = row >= firstRow
    const first = Math.max(0, indexAt(starts, left - from))
    const visits: { readonly node: PyramidNode; readonly from: number }[] = []
    const onPath = current !== undefined && node.isOnPath && node !== current ? pathChild(node) : undefined
    if (onPath !== undefined && onPath.index < first) visits.push({ node: onPath, from: from + (starts[onPath.index] ?? 0) })
    let index = first
    for (; index < children.length && from + (starts[index] ?? 0) < right; ) {
      const child = children[index]
      if (child === undefined) break
      const start = starts[index] ?? 0
      if (child.width * unit >= minBlock || child === onPath) {
        visits.push({ node: child, from: from + start })
        index++
        continue
      }
      const end = endOfRun(node, index, onPath)
      if (isDrawn && row <= lastRow)
        fillers.push({ parent: node, key: `run ${node.id} ${index}`, kind: 'run', ...boxAt(from + start, from + (starts[end] ?? 0), row) })
      index = end
    }
    if (onPath !== undefined && onPath.index >= index) visits.push({ node: onPath, from: from + (starts[onPath.index] ?? 0) })
    for (let at = visits.length - 1; at >= 0; at--) {
      const visit = visits[at]
      if (visit !== undefined) waiting.push(visit)
    }
  }

  /** Returns the index after the narrow children that begin at an index, or after the window. */
  function endOfRun({ children, starts }: PyramidNode, begin: number, onPath: PyramidNode | undefined): number {
    let end = begin
    while (end < children.length) {
      const child = children[end]
      if (child === undefined || child === onPath || child.width * unit >= minBlock) break
      // all children before the one at this distance are narrow
      const next = Math.max(end + 1, indexAt(starts, (starts[end] ?? 0) + minBlock / unit))
      end = Math.min(children.length, onPath !== undefined && onPath.index > end ? Math.min(next, onPath.index) : next)
      if ((starts[end] ?? 0) - (starts[begin] ?? 0) > (right - left) * 2) break
    }
    return end
  }
}

/** An ancestor's number of children is unknown until it is read. */
const isBranchOrUnknown = (node: PyramidNode): boolean => node.text.children_count === undefined || isBranch(node)

const pathChild = (node: PyramidNode): PyramidNode | undefined => node.children.find((child) => child.isOnPath)

/** An open text is narrower than its children, the more rows are below it: steps of a pyramid. */
function insetOf(node: PyramidNode, unit: number): number {
  if (node.height === 0 || node.width < 2) return 0
  return Math.min(node.height * Math.min(14, 0.1 * unit), 0.3 * unit * node.width)
}

/** Returns the index of the last start that is not after a position. */
function indexAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
