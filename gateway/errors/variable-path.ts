import { type ASTNode, type DocumentNode, type GraphQLError, isValueNode, Kind, parse, type Source, visit } from 'graphql'
import type { Violation } from '../../foundation/validation/violation.ts'
import { maxEchoLength } from './without-values.ts'

type Path = Violation['path']

/** Returns the path of a member within the argument of a field for violations: an argument `input` or `filter` is left out, so the path of the whole is empty. */
export const withinArgument = (path: Path): Path =>
  (path[0] === 'input' || path[0] === 'filter' ? path.slice(1) : path).map((step) =>
    typeof step === 'string' ? step.slice(0, maxEchoLength) : step,
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
  return withinArgument(place.split(/[.[\]]+/).flatMap((step) => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step])))
}

/** Returns the position of each variable of a document: the argument of its field, then the members around the variable. */
export function variablePlaces(document: DocumentNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>()
  visit(document, {
    Variable(node, _, parent, keys, ancestors) {
      const { name } = node
      if (parent === undefined || ('kind' in parent && parent.kind === Kind.VARIABLE_DEFINITION) || places.has(name.value)) return
      places.set(name.value, stepsTo([...ancestors, parent, node], keys))
    },
  })
  return places
}

/**
 * Returns the location of the literal of an error, from the argument of its field; that of a default from the argument that uses the variable.
 * @returns undefined if it is not about a literal
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
  const document = parse(source)
  const places = variablePlaces(document)
  visit(document, {
    enter(node, _, parent, keys, ancestors) {
      if (parent === undefined || node.loc === undefined || !isValueNode(node)) return
      const enclosing = [...ancestors, parent, node]
      const definition = enclosing.find((each) => 'kind' in each && each.kind === Kind.VARIABLE_DEFINITION)
      const variable = definition !== undefined && 'variable' in definition ? definition.variable.name.value : undefined
      const place = variable === undefined ? [] : (places.get(variable) ?? [variable])
      paths.set(node.loc.start, withinArgument([...place, ...stepsTo(enclosing, keys)]))
    },
  })
  pathsBySource.set(source, paths)
  return paths
}

/** Returns the names and positions of arguments, members and items among nested nodes. */
const stepsTo = (enclosing: readonly (ASTNode | readonly ASTNode[])[], keys: readonly (string | number)[]): Path =>
  enclosing.slice(1).flatMap((each, index) => stepTo(each, keys[index - 1], keys[index]))

/** @param list - the member with a list of nodes, in which `key` is an index */
function stepTo(node: ASTNode | readonly ASTNode[], list: string | number | undefined, key: string | number | undefined): Path {
  if (!('kind' in node)) return []
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value]
  return list === 'values' && typeof key === 'number' ? [key] : []
}
