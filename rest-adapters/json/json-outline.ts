import { closingQuote } from '../../foundation/validation/json-limits.ts'

/** Counts of a JSON text, computed without parsing it. */
export interface JsonOutline {
  /** members of all objects */
  readonly members: number
  /** number of items of the requested lists, by member name */
  readonly lengths: ReadonlyMap<string, number>
}

const maxNameLength = 64

/**
 * Counts the members of a JSON text and the items of lists in its root object; of repeated names the last list counts. The result for invalid JSON is
 * unspecified.
 */
export function jsonOutline(json: string, lists: ReadonlySet<string>): JsonOutline {
  const lengths = new Map<string, number>()
  let members = 0
  let depth = 0
  let name = ''
  let isValue = false
  /** the list being counted, and its commas */
  let list: string | undefined
  let commas = 0
  let isEmpty = true
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue
    if (list !== undefined && depth === 2 && code !== 0x5d) isEmpty = false
    if (code === 0x22) {
      const end = closingQuote(json, at)
      if (end < 0) break
      if (depth === 1 && !isValue) name = end - at > maxNameLength ? '' : json.slice(at + 1, end)
      at = end
    } else if (code === 0x3a) {
      members++
      if (depth === 1) isValue = true
    } else if (code === 0x2c) {
      if (depth === 1) isValue = false
      else if (depth === 2) commas++
    } else if (code === 0x7b || code === 0x5b) {
      if (depth === 1 && isValue && code === 0x5b && lists.has(name)) [list, commas, isEmpty] = [name, 0, true]
      depth++
    } else if (code === 0x7d || code === 0x5d) {
      depth--
      if (depth === 1 && list !== undefined) {
        lengths.set(list, isEmpty ? 0 : commas + 1)
        list = undefined
      }
    }
  }
  if (list !== undefined) lengths.set(list, commas + 1)
  return { members, lengths }
}
