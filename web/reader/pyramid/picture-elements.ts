import { written } from '../../shared/content/text/language-of.ts'
import type { Block, Filler, Picture, WindowSize } from './picture.ts'
import { isBranch, type PyramidNode, type PyramidTree, remainingOf } from './pyramid-tree.ts'

/** Texts and addresses in the picture. */
export interface PictureWords {
  readonly untitled: string
  readonly pending: string
  readonly failed: string
  readonly isRightToLeft: boolean
  more(count: number): string
  number(count: number): string
  addressOf(id: string): string
}

interface Drawn {
  readonly element: HTMLElement
  readonly parts: Map<Part, HTMLElement>
  /** last values, so that only changes are written */
  readonly values: Map<string, string | undefined>
}

/** A block has room for at most this many characters; a screen reader reads no more either. */
const maxTitle = 200
/** pixels of a line of a title */
const lineHeight = 19

/** Returns a title as it is shown: never empty, never very long. */
export function shownTitle(title: string, untitled: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  if (line === '') return untitled
  // code points: half of a surrogate pair is not a character
  return line.length <= maxTitle ? line : `${[...line.slice(0, 2 * maxTitle)].slice(0, maxTitle - 1).join('')}…`
}

/**
 * The elements of the picture. They are written directly and not by React: a frame has a few milliseconds, and most of it only moves what
 * is there. The order of the elements is the order of the tree, and an element with the focus is never moved or removed.
 */
export class PictureElements {
  readonly #place: HTMLElement
  readonly #layer: HTMLElement
  readonly #blocks = new Map<string, Drawn>()
  readonly #fillers = new Map<string, Drawn>()

  /** @param place - the element with the role `tree`   @param layer - for what is not a text */
  constructor(place: HTMLElement, layer: HTMLElement) {
    this.#place = place
    this.#layer = layer
  }

  draw({ blocks, fillers }: Picture, tree: PyramidTree, size: WindowSize, words: PictureWords): void {
    this.#drawAll(
      this.#blocks,
      this.#place,
      blocks,
      ({ node }) => node.id,
      createBlock,
      (drawn, block) => {
        placeAt(drawn, block, size, words)
        describe(drawn, block, block.node === tree.current, words)
      },
    )
    this.#drawAll(
      this.#fillers,
      this.#layer,
      fillers,
      ({ key }) => key,
      createFiller,
      (drawn, filler) => {
        placeAt(drawn, filler, size, words)
        fill(drawn, filler, words)
      },
    )
  }

  elementOf(node: PyramidNode): HTMLElement | undefined {
    return this.#blocks.get(node.id)?.element
  }

  #drawAll<Item>(
    drawn: Map<string, Drawn>,
    place: HTMLElement,
    items: readonly Item[],
    keyOf: (item: Item) => string,
    create: (key: string) => Drawn,
    update: (drawn: Drawn, item: Item) => void,
  ): void {
    const keys = new Set(items.map(keyOf))
    for (const [key, { element }] of drawn)
      if (!keys.has(key)) {
        drawn.delete(key)
        element.remove()
      }
    let following = place.firstElementChild
    for (const item of items) {
      const key = keyOf(item)
      const found = drawn.get(key) ?? create(key)
      drawn.set(key, found)
      update(found, item)
      if (found.element === following) following = following.nextElementSibling
      else if (found.element === document.activeElement) following = found.element.nextElementSibling
      else place.insertBefore(found.element, following)
    }
  }
}

/** Returns the id of the text of the block, or of the text above a filler, that contains an element. */
export const nodeIdAt = (element: Element): string | undefined => element.closest<HTMLElement>('[data-node]')?.dataset.node

function createBlock(id: string): Drawn {
  const element = document.createElement('a')
  element.dataset.node = id
  element.setAttribute('role', 'treeitem')
  element.draggable = false
  return withName(element)
}

const createFiller = (): Drawn => withName(document.createElement('div'))

function withName(element: HTMLElement): Drawn {
  const name = document.createElement('span')
  name.className = 'name'
  element.append(name)
  return { element, parts: new Map([['name', name]]), values: new Map() }
}

/** Remembers a value. @returns whether it changed */
function isNew({ values }: Drawn, name: string, value: string | undefined): boolean {
  if (values.get(name) === value) return false
  values.set(name, value)
  return true
}

/** @param value - undefined removes the attribute */
function setAttribute(drawn: Drawn, name: string, value: string | number | undefined): void {
  if (!isNew(drawn, name, value === undefined ? undefined : String(value))) return
  if (value === undefined) drawn.element.removeAttribute(name)
  else drawn.element.setAttribute(name, String(value))
}

type Part = 'name' | 'summary' | 'count'

/** Parts are created when they first have a text: most blocks have a title only. */
function setText(drawn: Drawn, name: Part, text: string): void {
  if (text === '' && !drawn.parts.has(name)) return
  if (!isNew(drawn, name, text)) return
  const part = drawn.parts.get(name) ?? document.createElement('span')
  if (!drawn.parts.has(name)) {
    drawn.parts.set(name, part)
    part.className = name
    // a screen reader says the title, and whether the text is open
    part.ariaHidden = 'true'
    drawn.element.append(part)
  }
  part.textContent = text
}

function placeAt(drawn: Drawn, { start, top, width, height }: Block | Filler, size: WindowSize, { isRightToLeft }: PictureWords): void {
  const { style } = drawn.element
  const left = isRightToLeft ? size.width - start - width : start
  const position = `translate(${left.toFixed(1)}px,${top.toFixed(1)}px)`
  if (isNew(drawn, 'position', position)) style.transform = position
  const [wide, high] = [`${width.toFixed(1)}px`, `${height.toFixed(1)}px`]
  if (isNew(drawn, 'width', wide)) style.width = wide
  if (isNew(drawn, 'height', high)) style.height = high
}

/** Less is written the smaller a block is. */
function describe(drawn: Drawn, { node, cut, width: whole, height }: Block, isCurrent: boolean, words: PictureWords): void {
  const { text, parent } = node
  const [before, after] = cut
  const width = whole - before - after
  const [left, right] = words.isRightToLeft ? [after, before] : [before, after]
  const padding = `0 ${right.toFixed(0)}px 0 ${left.toFixed(0)}px`
  if (isNew(drawn, 'padding', padding)) drawn.element.style.padding = padding
  const hasChildren = isBranch(node)
  const title = shownTitle(text.title, words.untitled)
  const hasSummary = height > 130 && width > 190
  const detail = width < 44 || height < 24 ? 'bare' : width < 72 || height < 50 ? 'short' : hasSummary ? 'rich' : 'full'
  const lines = Math.max(1, Math.floor((height - (hasChildren && detail !== 'short' ? 28 : 8)) / lineHeight))
  setAttribute(drawn, 'href', words.addressOf(node.id))
  // otherwise its text is its name
  setAttribute(drawn, 'aria-label', detail === 'bare' ? title : undefined)
  setAttribute(drawn, 'aria-level', node.depth + 1)
  const isListed = parent === undefined ? node.depth === 0 : node.index < parent.listed
  setAttribute(drawn, 'aria-setsize', isListed ? (parent === undefined ? 1 : (parent.text.children_count ?? parent.listed)) : undefined)
  setAttribute(drawn, 'aria-posinset', isListed ? node.index + 1 : undefined)
  setAttribute(drawn, 'aria-expanded', hasChildren ? String(node.isOpen) : undefined)
  setAttribute(drawn, 'aria-selected', String(isCurrent))
  setAttribute(drawn, 'aria-busy', node.request === 'pending' ? 'true' : undefined)
  setAttribute(drawn, 'tabindex', isCurrent ? 0 : -1)
  const { dir, lang } = written(text)
  setAttribute(drawn, 'dir', dir)
  setAttribute(drawn, 'lang', lang)
  setAttribute(
    drawn,
    'class',
    `block ${detail}${node.isOnPath ? ' path' : ''}${isCurrent ? ' current' : ''}${hasChildren ? ' branch' : ''}`,
  )
  setText(drawn, 'name', detail === 'bare' ? '' : title)
  if (isNew(drawn, 'lines', String(lines))) drawn.element.style.setProperty('--lines', String(hasSummary ? Math.min(lines, 3) : lines))
  setText(drawn, 'summary', hasSummary ? (text.summary ?? '').slice(0, maxTitle) : '')
  const { children_count: count } = text
  setText(drawn, 'count', hasChildren && (detail === 'full' || detail === 'rich') && count !== undefined ? words.number(count) : '')
}

function fill(drawn: Drawn, { kind, parent, width }: Filler, words: PictureWords): void {
  setAttribute(drawn, 'data-node', parent.id)
  setAttribute(drawn, 'class', `filler ${kind}`)
  const text =
    kind === 'more' ? words.more(remainingOf(parent)) : kind === 'pending' ? words.pending : kind === 'failed' ? words.failed : ''
  setText(drawn, 'name', width < 30 ? '' : text)
}
