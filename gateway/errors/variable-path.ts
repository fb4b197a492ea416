import { type ASTNode, type GraphQLError, isValueNode, Kind, parse, type Source, visit } from 'graphql'
import type { Violation } from '../../foundation/validation/violation.ts'
import { longestEcho } from './without-values.ts'

type Path = Violation['path']

/** Returns the path of a member within variables for violations: a single `input` or `filter` variable is left out. */
export const withinVariable = (path: Path): Path =>
  (path.length > 1 && (path[0] === 'input' || path[0] === 'filter') ? path.slice(1) : path).map((step) =>
    typeof step === 'string' ? step.slice(0, longestEcho) : step,
  )

/**
 * Extracts the location of a refused scalar from the message of graphql-js. @param message - `Variable "$filter" got invalid value "…" at
 * "filter.days[0]"; Expected type "Date". …`; undefined for other messages
 */
export function refusedPath(message: string): Path | undefined {
  const [, variable] = /^Variable "\$(\w+)" got invalid value /.exec(message) ?? []
  if (variable === undefined) return undefined
  // quotes within the value are escaped
  const [, place = variable] = / at "(\w+(?:\.\w+|\[\d+\])*)"; (?:Expected type "\w+"\. )?[^"]*$/.exec(message) ?? []
  return withinVariable(place.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step])))
}

/**
 * Returns the location of the literal of an error, from the argument of its field, or from the variable with that default. @returns undefined if it
 * is not about a literal
 */
export function literalPath({ nodes }: GraphQLError): Path | undefined {
  const place = nodes?.[0]?.loc
  return place && literalsOf(place.source).get(place.start)
}

/** a document may have many refused literals */
const pathsBySource = new WeakMap<Source, ReadonlyMap<number, Path>>()

/** Returns the paths of a document's literals by their offsets. */
function literalsOf(source: Source): ReadonlyMap<number, Path> {
  const cached = pathsBySource.get(source)
  if (cached !== undefined) return cached
  const paths = new Map<number, Path>()
  visit(parse(source), {
    enter(node, _, parent, keys, ancestors) {
      if (parent === undefined || node.loc === undefined || !isValueNode(node)) return
      const around = [...ancestors, parent, node].slice(1)
      paths.set(node.loc.start, withinVariable(around.flatMap((each, index) => stepTo(each, keys[index - 1], keys[index]))))
    },
  })
  pathsBySource.set(source, paths)
  return paths
}

/** @param list - the member with a list of nodes, in which `key` is an index */
function stepTo(node: ASTNode | readonly ASTNode[], list: string | number | undefined, key: string | number | undefined): Path {
  if (!('kind' in node)) return []
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value]
  if (node.kind === Kind.VARIABLE_DEFINITION) return [node.variable.name.value]
  return list === 'values' && typeof key === 'number' ? [key] : []
}
