import { exceededJsonLimit } from '../../foundation/validation/json-limits.ts'
import { type InvalidEntry, InvalidRequest } from '../response/invalid-request.ts'
import { bodyEntries } from '../response/issue-entries.ts'
import type { BodyReader, UploadedItem } from '../route/streaming-routes.ts'
import { ImportedNode, importedInputOf } from './requests.ts'

/** A line of an import, or a node of it, is at most so many characters. */
export const longestNode = 8 * 1024 * 1024

/** Reads NDJSON: a node a line, empty lines left out. Lines count from 1 in refusals. */
export function lineReader(): BodyReader {
  let rest: string[] = []
  let length = 0
  let number = 0
  const item = (line: string): readonly UploadedItem[] => {
    number++
    // a byte order mark may stand before the first one
    const text = number === 1 ? line.replace(/^\ufeff/, '') : line
    return text.trim() === '' ? [] : [itemOf(text, ['body', number])]
  }
  return {
    read(text) {
      const lines = text.split('\n')
      const last = lines.pop() ?? ''
      const items: UploadedItem[] = []
      for (const [index, line] of lines.entries()) {
        items.push(...item(index === 0 ? rest.join('') + line : line))
        if (index === 0) [rest, length] = [[], 0]
      }
      rest.push(last)
      length += last.length
      if (length > longestNode) throw tooLong(['body', number + 1])
      return items
    },
    end: () => item(rest.join('')),
  }
}

function itemOf(text: string, loc: readonly (string | number)[]): UploadedItem {
  return {
    input: importedInputOf(
      checkedNode(text, () => loc),
      {},
    ),
    size: text.length,
    place: () => loc,
  }
}

/** @param placeOf - where the text stands, for refusals   @throws {InvalidRequest} */
export function checkedNode(text: string, placeOf: () => readonly (string | number)[]) {
  const exceeded = exceededJsonLimit(text, nodeLimits)
  if (exceeded !== undefined) throw tooComplex(placeOf(), exceeded)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const loc = placeOf()
    const where = typeof loc.at(-1) === 'number' && loc.length === 2 ? ` in line ${loc.at(-1)}` : ''
    throw new InvalidRequest([{ type: 'json_invalid', loc, msg: `JSON decode error${where}`, ctx: { error: 'not a JSON object' } }])
  }
  const node = ImportedNode.safeParse(value)
  const lost = childrenLeft(value)
  if (node.success && lost === undefined) return node.data
  const entries = [...(node.success ? [] : bodyEntries(node.error, { value, written: () => undefined })), ...(lost ? [lost] : [])]
  throw new InvalidRequest(entries.slice(0, 20).map((entry) => ({ ...entry, loc: [...placeOf(), ...entry.loc.slice(1)] })))
}

/** A nested list was taken out by its reader: nodes that are still in `children` would be left behind without a word. */
function childrenLeft(value: unknown): InvalidEntry | undefined {
  const children = typeof value === 'object' && value !== null && 'children' in value ? value.children : null
  if (children === null || (Array.isArray(children) && children.length === 0)) return undefined
  const loc = ['body', 'children']
  if (!Array.isArray(children)) return { type: 'list_type', loc, msg: 'Input should be a valid list' }
  return { type: 'value_error', loc, msg: 'A line contains one node; write its children on lines of their own' }
}

function tooComplex(loc: readonly (string | number)[], exceeded: keyof typeof complexity): InvalidRequest {
  return new InvalidRequest([{ type: 'value_error', loc, msg: `Value error, a node should have at most ${complexity[exceeded]}` }])
}

/** Of a node by itself: what is below it is read on its own, down to a depth of 10,000. */
const nodeLimits = { depth: 1000, values: 20_000, nameLength: 1024 }
const complexity = {
  depth: `${nodeLimits.depth} arrays and objects within each other`,
  values: `${nodeLimits.values} values`,
  nameLength: `${nodeLimits.nameLength} characters in a member name`,
}

export function tooLong(loc: readonly (string | number)[], max = longestNode, what = 'A node'): InvalidRequest {
  const msg = `${what} should have at most ${max} characters`
  return new InvalidRequest([{ type: 'string_too_long', loc, msg, ctx: { max_length: max } }])
}
