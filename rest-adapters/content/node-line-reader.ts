import { exceededJsonLimit } from '../../foundation/validation/json-limits.ts'
import { bodyEntries } from '../request/issue-entries.ts'
import { type InvalidEntry, InvalidRequest } from '../response/invalid-request.ts'
import type { BodyReader, UploadedItem } from '../route/streaming-routes.ts'
import { ImportedNode, importedInputOf } from './requests.ts'

/** Maximum of characters per line or node of an import. */
export const maxNodeLength = 8 * 1024 * 1024

/** Reads NDJSON: one node per line; empty lines are skipped. Errors number lines from 1. */
export function lineReader(): BodyReader {
  let rest: string[] = []
  let length = 0
  let number = 0
  const item = (line: string): readonly UploadedItem[] => {
    number++
    // a byte order mark may precede the first line
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
      if (length > maxNodeLength) throw tooLong(['body', number + 1])
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

/** @param placeOf - path of the text in errors  @throws {InvalidRequest} */
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

/** Refuses a line with `children`: nested lists are not read here, and their nodes would be lost. */
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

/** Limits of a single node; its children are read separately, up to a depth of 10,000. */
const nodeLimits = { depth: 1000, values: 20_000, nameLength: 1024 }
const complexity = {
  depth: `${nodeLimits.depth} arrays and objects within each other`,
  values: `${nodeLimits.values} values`,
  nameLength: `${nodeLimits.nameLength} characters in a member name`,
}

export function tooLong(loc: readonly (string | number)[], max = maxNodeLength, what = 'A node'): InvalidRequest {
  const msg = `${what} should have at most ${max} characters`
  return new InvalidRequest([{ type: 'string_too_long', loc, msg, ctx: { max_length: max } }])
}
