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
