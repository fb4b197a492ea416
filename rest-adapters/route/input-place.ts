import { inSnakeCase } from '../../foundation/validation/violation.ts'
import type { PlaceOf } from '../response/violation-entry.ts'
import type { RequestRules } from './request-rules.ts'

/** By name of an operation's variable, or of a member of its input: where in a request it comes from, when that is not where one would look for it. */
export type InputPlaces = Readonly<Record<string, readonly (string | number)[]>>

/** Where a request of a route says what its operation was given: in the query what the query has, else in the body, under its name in snake case. */
export function inputPlace({ rules, places = {} }: { readonly rules: RequestRules; readonly places?: InputPlaces }): PlaceOf {
  return (path) => {
    if (path.length === 0) return ['body']
    const [first = ''] = path
    const [name = '', ...rest] = inSnakeCase(path)
    const where = rules.query !== undefined && Object.hasOwn(rules.query.shape, name) ? 'query' : 'body'
    return [...(places[first] ?? [where, name]), ...rest]
  }
}
