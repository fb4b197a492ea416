import { inSnakeCase } from '../../foundation/validation/violation.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { RequestRules } from './request-rules.ts'

/** Locations in the request of an operation's variables or of members of its input, by name, where they differ from the default. */
export type InputPlaces = Readonly<Record<string, readonly (string | number)[]>>

/**
 * Returns the location of an operation's input in the request: in the query if it is a query parameter, else in the body, under its name in snake
 * case.
 */
export function inputPlace({ rules, places = {} }: { readonly rules: RequestRules; readonly places?: InputPlaces }): PlaceOf {
  return (path) => {
    if (path.length === 0) return ['body']
    const [first = ''] = path
    const [name = '', ...rest] = inSnakeCase(path)
    const where = rules.query !== undefined && Object.hasOwn(rules.query.shape, name) ? 'query' : 'body'
    return [...(places[first] ?? [where, name]), ...rest]
  }
}
