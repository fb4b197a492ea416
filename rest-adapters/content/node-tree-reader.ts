import { InvalidRequest } from '../response/invalid-request.ts'
import type { BodyReader, UploadedItem } from '../route/streaming-routes.ts'
import { checkedNode, longestNode, tooLong } from './node-line-reader.ts'
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

type Open = OpenList | OpenNode | OpenDocument
const deepest = 100_000
/** maximum of characters in all open nodes */
const maxOpen = 64_000_000
/** names are truncated to this length; `children` and `nodes` are shorter */
const longestName = 16

/**
 * Parses `{"nodes":[…]}` or `[…]` as a stream: nodes in a flat list or nested by `children`, at any depth and number. A node is emitted
 * when it
 * closes, after its descendants, which refer to it by a key.
 */
export function treeReader(): BodyReader {
  const open: Open[] = []
  let isOver = false
  let hasNodes = false
  let names = 0
  /** characters of the open nodes */
  let held = 0
  let inString = false
  let isEscaped = false
  /** the current string, while it may be the name of a member */
  let name: string | undefined
  let position = 0

  const broken = (): InvalidRequest =>
    new InvalidRequest([{ type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', ctx: { error: 'not a list of nodes' } }])

  const read = (text: string): readonly UploadedItem[] => {
    const items: UploadedItem[] = []
    let from = 0
    /** appends the current text to the innermost node */
    const keep = (to: number): void => {
      const top = open.at(-1)
      if (top?.kind !== 'node' || to <= from) return
      top.pieces.push(copyOf(text.slice(from, to)))
      top.length += to - from
      held += to - from
      if (top.length > longestNode) throw tooLong(placeOf(top))
      if (held > maxOpen) throw tooLong(placeOf(top), maxOpen, 'A node and those around it')
    }
    const begin = (list: OpenList, at: number): void => {
      if (list.isFull || open.length > deepest) throw broken()
      const { above } = list
      open.push({
        ...{ kind: 'node', list, index: list.count++, key: String(names++), pieces: [], length: 0, inner: 0, member: undefined },
        hasChildren: false,
      })
      if (above !== undefined) above.hasChildren = true
      from = at
    }
    const finish = (node: OpenNode, at: number): void => {
      keep(at + 1)
      open.pop()
      held -= node.length
      node.list.isFull = true
      items.push(itemOf(node))
    }
    for (let at = 0; at < text.length; at++) {
      position++
      const character = text.charCodeAt(at)
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (character === 0x5c) isEscaped = true
        else if (character === 0x22) inString = false
        if (name !== undefined && inString && name.length < longestName) name += text.charAt(at)
        continue
      }
      const top = open.at(-1)
      if (character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09 || (character === 0xfeff && position === 1))
        continue
      if (isOver) throw broken()
      switch (character) {
        case 0x22: {
          if (top === undefined || top.kind === 'list') throw broken()
          inString = true
          name = top.inner === 0 && top.member === undefined ? '' : undefined
          break
        }
        case 0x3a: // :
          if (top !== undefined && top.kind !== 'list' && top.inner === 0 && top.member === undefined) top.member = name ?? ''
          name = undefined
          break
        case 0x2c: // ,
          if (top?.kind === 'list') {
            if (!top.isFull) throw broken()
            top.isFull = false
          } else if (top !== undefined && top.inner === 0) top.member = undefined
          break
        case 0x7b: // {
          if (top === undefined) open.push({ kind: 'document', inner: 0, member: undefined })
          else if (top.kind === 'list') begin(top, at)
          else top.inner++
          break
        case 0x5b: // [
          if (top === undefined || (top.kind === 'document' && top.inner === 0 && top.member === 'nodes')) {
            hasNodes = true
            open.push({ kind: 'list', above: undefined, count: 0, isFull: false })
          } else if (top.kind === 'node' && top.inner === 0 && top.member === 'children') {
            keep(at)
            top.pieces.push('null')
            open.push({ kind: 'list', above: top, count: 0, isFull: false })
          } else if (top.kind === 'list') throw broken()
          else top.inner++
          break
        case 0x7d: // }
          if (top === undefined || top.kind === 'list') throw broken()
          if (top.inner > 0) top.inner--
          else if (top.kind === 'node') finish(top, at)
          else open.pop()
          break
        case 0x5d: // ]
          if (top === undefined) throw broken()
          if (top.kind === 'list') {
            if (!top.isFull && top.count > 0) throw broken()
            open.pop()
            from = at + 1
          } else if (top.inner > 0) top.inner--
          else throw broken()
          break
        default:
          if (top === undefined || top.kind === 'list') throw broken()
      }
      isOver = open.length === 0
    }
    keep(text.length)
    return items
  }

  return {
    read,
    end() {
      if (!isOver) throw broken()
      if (!hasNodes) throw new InvalidRequest([{ type: 'missing', loc: ['body', 'nodes'], msg: 'Field required' }])
      return []
    },
  }
}

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
