import { InvalidRequest } from '../response/invalid-request.ts'
import type { BodyReader, UploadedItem } from '../route/streaming-routes.ts'
import { checkedNode, maxNodeLength, tooLong } from './node-line-reader.ts'
import { importedInputOf } from './requests.ts'

/** A list of nodes that is open: that of the body, or the `children` of a node. */
interface OpenList {
  readonly kind: 'list'
  readonly above: OpenNode | undefined
  count: number
  /** after a node: expects a comma or the end */
  isFull: boolean
}

/** A node that is open. Its text contains `null` in place of its children. */
interface OpenNode {
  readonly kind: 'node'
  readonly list: OpenList
  readonly index: number
  readonly key: string
  readonly pieces: string[]
  length: number
  /** open brackets inside its members */
  inner: number
  /** the member whose value follows; undefined while a name is expected */
  member: string | undefined
  hasChildren: boolean
}

/** The object around the list `nodes`. */
interface OpenDocument {
  readonly kind: 'document'
  inner: number
  member: string | undefined
}

type OpenElement = OpenList | OpenNode | OpenDocument
const deepest = 100_000
/** maximum of characters in all open nodes */
const maxOpen = 64_000_000
/** names are truncated to this length; `children` and `nodes` are shorter */
const maxNameLength = 16

/**
 * Returns a reader that parses `{"nodes":[…]}` or `[…]` as a stream: nodes in a flat list or nested by `children`, at any depth and number.
 * It emits a node when the node closes, after its descendants, which refer to it by a key.
 */
export const treeReader = (): BodyReader => new TreeReader()

class TreeReader implements BodyReader {
  readonly #open: OpenElement[] = []
  #isOver = false
  #hasNodes = false
  #names = 0
  /** characters of the open nodes */
  #held = 0
  #inString = false
  #isEscaped = false
  /** the current string, while it may be the name of a member */
  #name: string | undefined
  #position = 0
  /** the text that is read, and the start of the part that no node has yet */
  #text = ''
  #from = 0
  #items: UploadedItem[] = []

  read(text: string): readonly UploadedItem[] {
    this.#text = text
    this.#from = 0
    this.#items = []
    for (let at = 0; at < text.length; at++) {
      this.#position++
      const character = text.charCodeAt(at)
      if (this.#inString) this.#readString(character, at)
      else if (!isBlank(character) && !(character === byteOrderMark && this.#position === 1)) this.#readStructure(character, at)
    }
    this.#keep(text.length)
    return this.#items
  }

  end(): readonly UploadedItem[] {
    if (!this.#isOver) throw this.#broken()
    if (!this.#hasNodes) throw new InvalidRequest([{ type: 'missing', loc: ['body', 'nodes'], msg: 'Field required' }])
    return []
  }

  #readString(character: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === 0x5c) this.#isEscaped = true
    else if (character === 0x22) this.#inString = false
    if (this.#name !== undefined && this.#inString && this.#name.length < maxNameLength) this.#name += this.#text.charAt(at)
  }

  /** Reads a character outside of strings. */
  #readStructure(character: number, at: number): void {
    if (this.#isOver) throw this.#broken()
    const top = this.#open.at(-1)
    switch (character) {
      case 0x22: {
        if (top === undefined || top.kind === 'list') throw this.#broken()
        this.#inString = true
        this.#name = top.inner === 0 && top.member === undefined ? '' : undefined
        break
      }
      case 0x3a: // :
        if (top !== undefined && top.kind !== 'list' && top.inner === 0 && top.member === undefined) top.member = this.#name ?? ''
        this.#name = undefined
        break
      case 0x2c: // ,
        if (top?.kind === 'list') {
          if (!top.isFull) throw this.#broken()
          top.isFull = false
        } else if (top !== undefined && top.inner === 0) top.member = undefined
        break
      case 0x7b: // {
        if (top === undefined) this.#open.push({ kind: 'document', inner: 0, member: undefined })
        else if (top.kind === 'list') this.#beginNode(top, at)
        else top.inner++
        break
      case 0x5b: // [
        this.#beginList(top, at)
        break
      case 0x7d: // }
        if (top === undefined || top.kind === 'list') throw this.#broken()
        if (top.inner > 0) top.inner--
        else if (top.kind === 'node') this.#finishNode(top, at)
        else this.#open.pop()
        break
      case 0x5d: // ]
        this.#finishList(top, at)
        break
      default:
        if (top === undefined || top.kind === 'list') throw this.#broken()
    }
    this.#isOver = this.#open.length === 0
  }

  #beginNode(list: OpenList, at: number): void {
    if (list.isFull || this.#open.length > deepest) throw this.#broken()
    const { above } = list
    this.#open.push({
      ...{ kind: 'node', list, index: list.count++, key: String(this.#names++), pieces: [], length: 0, inner: 0, member: undefined },
      hasChildren: false,
    })
    if (above !== undefined) above.hasChildren = true
    this.#from = at
  }

  #finishNode(node: OpenNode, at: number): void {
    this.#keep(at + 1)
    this.#open.pop()
    this.#held -= node.length
    node.list.isFull = true
    this.#items.push(itemOf(node))
  }

  #beginList(top: OpenElement | undefined, at: number): void {
    if (top === undefined || (top.kind === 'document' && top.inner === 0 && top.member === 'nodes')) {
      this.#hasNodes = true
      this.#open.push({ kind: 'list', above: undefined, count: 0, isFull: false })
    } else if (top.kind === 'node' && top.inner === 0 && top.member === 'children') {
      this.#keep(at)
      top.pieces.push('null')
      this.#open.push({ kind: 'list', above: top, count: 0, isFull: false })
    } else if (top.kind === 'list') throw this.#broken()
    else top.inner++
  }

  #finishList(top: OpenElement | undefined, at: number): void {
    if (top === undefined) throw this.#broken()
    if (top.kind === 'list') {
      if (!top.isFull && top.count > 0) throw this.#broken()
      this.#open.pop()
      this.#from = at + 1
    } else if (top.inner > 0) top.inner--
    else throw this.#broken()
  }

  /** Appends the current text to the innermost node. */
  #keep(to: number): void {
    const top = this.#open.at(-1)
    if (top?.kind !== 'node' || to <= this.#from) return
    top.pieces.push(copyOf(this.#text.slice(this.#from, to)))
    top.length += to - this.#from
    this.#held += to - this.#from
    if (top.length > maxNodeLength) throw tooLong(placeOf(top))
    if (this.#held > maxOpen) throw tooLong(placeOf(top), maxOpen, 'A node and those around it')
  }

  #broken(): InvalidRequest {
    const error = 'not a list of nodes'
    return new InvalidRequest([{ type: 'json_invalid', loc: ['body', this.#position], msg: 'JSON decode error', ctx: { error } }])
  }
}

const byteOrderMark = 0xfeff
const isBlank = (character: number): boolean => character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09

/** Copies a slice, which would otherwise keep the whole text in memory. */
const copyOf = (slice: string): string => Buffer.from(slice).toString()

function itemOf(node: OpenNode): UploadedItem {
  const { list, key, length } = node
  const place = (): readonly (string | number)[] => placeOf(node)
  const content = checkedNode(node.pieces.join(''), place)
  const isNested = list.above !== undefined
  return {
    input: importedInputOf(isNested ? { ...content, parent_id: undefined, parent_external_id: undefined } : content, {
      key: node.hasChildren || isNested ? key : undefined,
      parentKey: list.above?.key,
      position: isNested ? node.index : undefined,
    }),
    size: length,
    place,
  }
}

/** `["body", "nodes", 3, "children", 0]` */
function placeOf(node: OpenNode): readonly (string | number)[] {
  const steps: (string | number)[] = []
  for (let at: OpenNode | undefined = node; at !== undefined && steps.length < 200; at = at.list.above)
    steps.unshift(at.list.above === undefined ? 'nodes' : 'children', at.index)
  return ['body', ...steps]
}
