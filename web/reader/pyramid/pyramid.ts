import { NotFoundError } from '@civigraph/client'
import type { Failure } from '../../shared/content/outline/use-magazine.ts'
import type { ContentView, Source } from '../../shared/content/place/content-view.ts'
import type { Library } from '../../shared/content/place/library.ts'
import { folded } from '../search/search-texts.ts'
import {
  bounded,
  type Camera,
  firstUnit,
  fittingUnit,
  moved,
  type Picture,
  pictureOf,
  revealing,
  type WindowSize,
  zoomed,
} from './picture.ts'
import {
  besideInRow,
  findShown,
  isBranch,
  lastShown,
  type PyramidNode,
  type PyramidText,
  PyramidTree,
  pathTo,
  startOf,
} from './pyramid-tree.ts'

/** An event that a screen reader announces. */
export type PyramidNews =
  | { readonly kind: 'loaded'; readonly count: number; readonly total: number }
  | { readonly kind: 'gone'; readonly title: string }
  | { readonly kind: 'failed' }

/** What surrounds the picture. A new object after each change. */
export interface PyramidState {
  /** undefined until the first text is loaded */
  readonly current: (PyramidText & { readonly depth: number; readonly isBranch: boolean; readonly isOpen: boolean }) | undefined
  /** loaded ancestors of the current text, topmost first */
  readonly ancestors: readonly PyramidText[]
  /** whether ancestors between the root and the topmost loaded text are missing */
  readonly isCut: boolean
  readonly source: Source | undefined
  readonly failure: Failure | undefined
  readonly news: PyramidNews | undefined
}

/** Where a pyramid is drawn. */
export interface PyramidStage {
  size(): WindowSize
  draw(picture: Picture, tree: PyramidTree, size: WindowSize): void
  /** @returns whether the text is drawn and has the focus now */
  focus(node: PyramidNode): boolean
  hasFocus(): boolean
  /** whether the camera jumps and does not glide */
  isStill(): boolean
  /** called after the user has gone to another text @param isStep - one of many small steps, not one that Back returns to */
  arrived(node: PyramidNode, isStep: boolean): void
}

/** requests at the same time */
const maxRequests = 4
const glideMs = 220
const zoomStep = 1.35
const typingMs = 700

/** A tenant's tree as the reader has opened it, and the part of it that is shown. Lasts while its page does. */
export class Pyramid {
  readonly tree = new PyramidTree()
  readonly #library: Library
  readonly #listeners = new Set<() => void>()
  readonly #keys = new WeakMap<PyramidText, string>()
  #state: PyramidState = { current: undefined, ancestors: [], isCut: false, source: undefined, failure: undefined, news: undefined }
  #stage: PyramidStage | undefined
  #camera: Camera | undefined
  #glide: { readonly from: Camera; readonly to: Camera; readonly begun: number } | undefined
  #frame: number | undefined
  #shown: readonly PyramidNode[] = []
  #wantsFocus = false
  #requests = 0
  /** requests for children */
  readonly #reads = new Map<PyramidNode, Promise<void>>()
  /** the place that was requested last */
  #wanted: string | undefined
  #typed = { text: '', at: 0 }

  constructor(library: Library) {
    this.#library = library
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  state = (): PyramidState => this.#state

  /** Starts drawing. @returns a function that stops it */
  play(stage: PyramidStage): () => void {
    this.#stage = stage
    this.redraw()
    return () => {
      if (this.#stage !== stage) return
      this.#stage = undefined
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
      this.#frame = undefined
    }
  }

  /** Goes to a text, and loads it if necessary. @param id - undefined for the root */
  async go(id: string | undefined, takesFocus = false): Promise<void> {
    this.#wanted = id ?? ''
    if (takesFocus) this.#wantsFocus = true
    const { current, top } = this.tree
    const loaded = id === undefined ? (top?.depth === 0 ? top : undefined) : this.tree.get(id)
    if (loaded !== undefined) {
      this.#setState({ failure: undefined })
      if (loaded !== current) this.#moveTo(loaded)
      else this.redraw()
      return
    }
    await this.#load(id)
  }

  /** Loads what could not be loaded. */
  async retry(id: string | undefined): Promise<void> {
    this.#wanted = id ?? ''
    await this.#load(id)
  }

  select(node: PyramidNode, isStep: boolean): void {
    this.#moveTo(node)
    this.#stage?.arrived(node, isStep)
  }

  /** Goes to a text by a key. */
  step(node: PyramidNode | undefined): void {
    if (node === undefined) return
    this.select(node, true)
    // the focus does not wait for a frame: the next key must find it
    if (this.#stage?.focus(node) === true) return
    this.#wantsFocus = true
    this.#draw(performance.now())
  }

  setOpen(node: PyramidNode, isOpen: boolean): void {
    if (!isBranch(node)) return
    if (node.request === 'failed') node.request = 'none'
    this.#change(() => this.tree.setOpen(node, isOpen))
    this.#reveal(node)
  }

  /** Opens a closed text; in an open one goes to its first child. */
  down(): void {
    const { current } = this.tree
    if (current === undefined || !isBranch(current)) return
    if (!current.isOpen || current.request === 'failed') this.setOpen(current, true)
    else this.step(current.children[0])
  }

  /** Closes an open text; from a closed one goes to its parent. */
  up(): void {
    const { current } = this.tree
    if (current === undefined) return
    if (current.isOpen && isBranch(current)) this.setOpen(current, false)
    else if (current.parent !== undefined) this.step(current.parent)
    else if (current.depth > 0) void this.#extend().then(() => this.step(current.parent))
  }

  /** Goes to the next or previous text of the row, which may be on a page that is not loaded. */
  async beside(direction: 1 | -1): Promise<void> {
    const { current } = this.tree
    if (current === undefined) return
    const { parent } = current
    const isLast = parent !== undefined && current.index === parent.listed - 1
    if (direction === 1 && isLast && parent.next !== undefined) {
      await this.more(parent)
      if (this.tree.current !== current) return
    }
    this.step(besideInRow(current, direction))
  }

  first(): void {
    const { top } = this.tree
    if (top === undefined) return
    if (top.depth === 0) this.step(top)
    else void this.go(undefined, true).then(() => this.tree.current !== undefined && this.step(this.tree.current))
  }

  last(): void {
    if (this.tree.top !== undefined) this.step(lastShown(this.tree.top))
  }

  /** Goes to the next text whose title begins with what was typed in the last moments. */
  type(character: string): void {
    const { current } = this.tree
    if (current === undefined) return
    const now = performance.now()
    const text = (now - this.#typed.at < typingMs ? this.#typed.text : '') + folded(character)
    this.#typed = { text, at: now }
    const fits = (node: PyramidNode): boolean => this.#keyOf(node).startsWith(text)
    if (text.length > 1 && fits(current)) return
    this.step(findShown(current, fits))
  }

  get isTyping(): boolean {
    return performance.now() - this.#typed.at < typingMs
  }

  /** Loads the next page of children. */
  async more(parent: PyramidNode): Promise<void> {
    const pending = this.#reads.get(parent)
    if (pending !== undefined) return pending
    const isExpired = parent.request === 'failed'
    // a cursor of an older version of the tree may have expired
    const after = isExpired ? undefined : parent.next
    await this.#read(parent, after)
    const { children, text, listed } = parent
    if (after !== undefined && parent.request === 'none')
      this.#setState({ news: { kind: 'loaded', count: listed, total: text.children_count ?? children.length } })
  }

  /** Loads children again that could not be loaded, or the next page of them. */
  loadAgain(parent: PyramidNode): void {
    if (parent.isRead) void this.more(parent)
    else {
      parent.request = 'none'
      this.redraw()
    }
  }

  pan(start: number, top: number): void {
    this.#move((camera) => moved(camera, -start, -top), false)
  }

  canPan(start: number, top: number): boolean {
    const size = this.#stage?.size()
    if (this.#camera === undefined || size === undefined) return false
    const { x, y } = bounded(this.tree, moved(this.#camera, start, top), size)
    return Math.abs(x - this.#camera.x) * this.#camera.unit > 0.5 || Math.abs(y - this.#camera.y) > 0.005
  }

  zoom(factor: number, at: { readonly start: number; readonly top: number }): void {
    this.#move((camera, size) => zoomed(camera, size, bounded(this.tree, { ...camera, unit: camera.unit * factor }, size).unit, at), false)
  }

  /** Zooms in or out around the current text. */
  zoomStep(direction: 1 | -1): void {
    this.#move((camera, size) => {
      const { unit } = bounded(this.tree, { ...camera, unit: camera.unit * zoomStep ** direction }, size)
      const { current } = this.tree
      const next = zoomed(camera, size, unit, { start: size.width / 2, top: size.height / 2 })
      return current === undefined ? next : revealing(this.tree, current, next, size)
    }, true)
  }

  /** Zooms so that the whole loaded tree fits. */
  fit(): void {
    this.#move((camera, size) => ({ ...camera, unit: fittingUnit(this.tree, size) }), true)
  }

  /** Reads the shown texts again, so that the service worker caches them. */
  readAgain(): void {
    const open = this.#shown.filter(({ isOpen, isRead }) => isOpen && isRead)
    for (const { id } of open) void this.#library.readText(id).catch(() => undefined)
  }

  /** Draws in the next frame. */
  redraw(): void {
    if (this.#stage === undefined || this.#frame !== undefined) return
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = undefined
      this.#draw(now)
    })
  }

  #draw(now: number): void {
    const stage = this.#stage
    if (stage === undefined) return
    const size = stage.size()
    const { top, current } = this.tree
    if (top !== undefined && current !== undefined && size.width > 0) {
      this.#camera ??= revealing(this.tree, current, { x: 0, y: 0, unit: firstUnit(this.tree, size) }, size)
      if (this.#glide === undefined) this.#camera = bounded(this.tree, this.#camera, size)
      else this.#advance(this.#glide, now)
    }
    const picture = pictureOf(this.tree, this.#camera ?? { x: 0, y: 0, unit: 1 }, size)
    stage.draw(picture, this.tree, size)
    this.#shown = picture.blocks.map(({ node }) => node)
    if (this.#wantsFocus && current !== undefined) {
      this.#wantsFocus = false
      stage.focus(current)
    }
    // while it glides, what passes by is not loaded
    if (this.#glide !== undefined) this.redraw()
    else this.#loadShown(picture)
  }

  #loadShown({ unread, continued, isCutInView }: Picture): void {
    for (const node of unread) if (this.#requests < maxRequests) void this.#read(node, undefined)
    for (const node of continued) if (this.#requests < maxRequests) void this.more(node)
    if (isCutInView && this.#requests < maxRequests && this.tree.top?.request === 'none') void this.#extend()
  }

  #advance({ from, to, begun }: { readonly from: Camera; readonly to: Camera; readonly begun: number }, now: number): void {
    const share = Math.min(1, Math.max(0, (now - begun) / glideMs))
    const eased = 1 - (1 - share) ** 3
    const between = (name: keyof Camera): number => from[name] + (to[name] - from[name]) * eased
    this.#camera = { x: between('x'), y: between('y'), unit: between('unit') }
    if (share === 1) {
      this.#camera = to
      this.#glide = undefined
    }
  }

  /** @param glides - whether the movement is not already one of the user's hand */
  #move(next: (camera: Camera, size: WindowSize) => Camera, glides: boolean): void {
    const size = this.#stage?.size()
    if (this.#camera === undefined || size === undefined) return
    const from = this.#camera
    const to = bounded(this.tree, next(this.#glide?.to ?? from, size), size)
    if (!glides || this.#stage?.isStill() === true) {
      this.#camera = to
      this.#glide = undefined
    } else this.#glide = { from, to, begun: performance.now() }
    this.redraw()
  }

  #reveal(node: PyramidNode): void {
    this.#move((camera, size) => revealing(this.tree, node, camera, size), true)
  }

  #moveTo(node: PyramidNode): void {
    this.#change(() => {
      this.tree.setCurrent(node)
      for (let above = node.parent; above !== undefined; above = above.parent) this.tree.setOpen(above, true)
    })
    this.#reveal(node)
  }

  /** Changes the tree; the current text stays where it is on the screen. */
  #change(change: () => void): void {
    const { current: before, top } = this.tree
    const start = before === undefined ? 0 : startOf(before)
    change()
    const { current, top: now } = this.tree
    if (before !== undefined && this.#camera !== undefined && this.tree.get(before.id) === before) {
      const [x, y] = [startOf(before) - start, (top?.depth ?? 0) - (now?.depth ?? 0)]
      const along = (camera: Camera): Camera => ({ ...camera, x: camera.x + x, y: camera.y + y })
      this.#camera = along(this.#camera)
      if (this.#glide !== undefined) this.#glide = { ...this.#glide, from: along(this.#glide.from), to: along(this.#glide.to) }
    } else if (before === undefined || current === undefined) {
      this.#camera = undefined
      this.#glide = undefined
    }
    this.#setState({})
    this.redraw()
  }

  async #load(id: string | undefined): Promise<void> {
    try {
      this.#show(await this.#library.readText(id), id)
    } catch (error) {
      if (this.#wanted !== (id ?? '')) return
      if (!(error instanceof NotFoundError)) return this.#setState({ failure: 'failed' })
      this.#setState({ failure: id === undefined ? 'empty' : 'absent' })
      if (id === undefined || this.tree.top !== undefined) return
      // the pyramid still shows its root where the text is missing
      const root = await this.#library.readText(undefined).catch(() => undefined)
      if (root === undefined || this.#wanted !== id) return
      this.#show(root, id)
      this.#setState({ failure: 'absent' })
    }
  }

  #show(view: ContentView, id: string | undefined): void {
    if (this.#wanted !== (id ?? '')) return
    this.#change(() => {
      const node = this.tree.addView(view)
      this.tree.setOpen(node, isBranch(node))
      this.tree.setCurrent(node)
    })
    this.#setState({ source: view, failure: undefined })
    if (this.tree.current !== undefined) this.#reveal(this.tree.current)
  }

  /** Loads ancestors of the topmost loaded text. */
  async #extend(): Promise<void> {
    const { top } = this.tree
    if (top === undefined || top.depth === 0 || top.request !== 'none') return
    top.request = 'pending'
    this.#requests++
    try {
      const { ancestors } = await this.#library.readText(top.id)
      if (this.tree.top === top) this.#change(() => this.tree.addAncestors(top, ancestors))
      top.request = 'none'
    } catch {
      top.request = 'failed'
      this.#setState({ news: { kind: 'failed' } })
    } finally {
      this.#requests--
      this.redraw()
    }
  }

  #read(node: PyramidNode, after: string | undefined): Promise<void> {
    const reading = this.#readPage(node, after).finally(() => this.#reads.delete(node))
    this.#reads.set(node, reading)
    return reading
  }

  async #readPage(node: PyramidNode, after: string | undefined): Promise<void> {
    node.request = 'pending'
    this.#requests++
    this.redraw()
    try {
      const view = await this.#library.readText(node.id, { after })
      if (this.tree.get(node.id) !== node) return
      this.#change(() => {
        node.text = { ...node.text, ...view.node }
        this.tree.addPage(node, view, after === undefined)
      })
      this.#setState({ source: view })
      // the children of the text that was just opened
      if (node === this.tree.current && after === undefined) this.#reveal(node)
    } catch (error) {
      if (this.tree.get(node.id) !== node) return
      if (error instanceof NotFoundError) this.#removed(node)
      else {
        node.request = 'failed'
        this.#setState({ news: { kind: 'failed' } })
      }
    } finally {
      this.#requests--
      this.redraw()
    }
  }

  /** A text was deleted while it was shown. */
  #removed(node: PyramidNode): void {
    const wasOnPath = node.isOnPath
    const hadFocus = this.#stage?.hasFocus() === true
    this.#change(() => this.tree.remove(node))
    this.#setState({ news: { kind: 'gone', title: node.text.title } })
    const { current } = this.tree
    if (current === undefined) void this.#load(undefined)
    else if (wasOnPath) {
      this.#wantsFocus = hadFocus
      this.select(current, true)
    }
  }

  #keyOf({ text }: PyramidNode): string {
    const key = this.#keys.get(text) ?? folded(text.title.trim().slice(0, 60))
    this.#keys.set(text, key)
    return key
  }

  #setState(change: Partial<PyramidState>): void {
    const { current, top } = this.tree
    const ancestors = pathTo(current?.parent).map(({ text }) => text)
    this.#state = {
      ...this.#state,
      current: current && { ...current.text, depth: current.depth, isBranch: isBranch(current), isOpen: current.isOpen },
      ancestors,
      isCut: top !== undefined && top.depth > 0,
      ...change,
    }
    for (const listener of this.#listeners) listener()
  }
}
