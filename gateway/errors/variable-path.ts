import { type ASTNode, BREAK, type DocumentNode, Kind, visit } from 'graphql'
import type { Violation } from '../../subgraphs/foundation/validation/violation.ts'

type Path = Violation['path']

/** The path of a member within variables, as refusals say it: an `input` or a `filter` that holds all the others is left out. */
export const withinVariable = (path: Path): Path =>
  path.length > 1 && (path[0] === 'input' || path[0] === 'filter') ? path.slice(1) : path

/**
 * Where the value stands that a scalar refused, which does not know it: graphql-js says so before and after the value.
 * @param message - `Variable "$filter" got invalid value "…" at "filter.days[0]"; Expected type "Date". …`; undefined for other sentences
 */
export function refusedPath(message: string): Path | undefined {
  const [, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? []
  if (variable === undefined) return undefined
  // quotes within the value are escaped
  const [, place = variable] = / at "(\w+(?:\.\w+|\[\d+\])*)"; (?:Expected type "\w+"\. )?[^"]*$/.exec(message) ?? []
  return withinVariable(place.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step])))
}

/**
 * Where a literal stands that is refused: from the argument of its field, or the variable whose default it is in, down to it.
 * @returns undefined for what is in no document
 */
export function literalPath(document: DocumentNode, literal: ASTNode | undefined): Path | undefined {
  let found: Path | undefined
  visit(document, {
    enter(node, _, parent, keys, ancestors) {
      if (node !== literal || parent === undefined) return undefined
      const around = [...ancestors, parent, node].slice(1)
      found = withinVariable(around.flatMap((each, index) => stepTo(each, keys[index - 1], keys[index])))
      return BREAK
    },
  })
  return found
}

/** @param list - the member that holds a list of nodes, where `key` is a place in it */
function stepTo(node: ASTNode | readonly ASTNode[], list: string | number | undefined, key: string | number | undefined): Path {
  if (!('kind' in node)) return []
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value]
  if (node.kind === Kind.VARIABLE_DEFINITION) return [node.variable.name.value]
  return list === 'values' && typeof key === 'number' ? [key] : []
}
