import type { z } from 'zod'
import { inSnakeCase } from '../../foundation/validation/violation.ts'
import { bodyEntries, parameterEntries } from '../request/issue-entries.ts'
import type { RequestBody } from '../request/request-body.ts'
import { type InvalidEntry, InvalidRequest, missingEntry, unknownEntry } from '../response/invalid-request.ts'
import type { PlaceOf } from '../response/violation-entry.ts'

/** A decoded request, before validation by the rules of the route. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>
  /** the last value of a repeated parameter */
  readonly query: Readonly<Record<string, string>>
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>
  /** undefined for an empty body, and for a route that takes none */
  readonly body: RequestBody | undefined
  /** missing required headers, as documented */
  readonly missingHeaders: readonly string[]
  /** query parameters unknown to an extension route; documented routes ignore them */
  readonly unknownParameters: readonly string[]
}

/** The validation rules of a route; a part without a rule is ignored. */
export interface RequestRules {
  /** names in lower case */
  readonly header?: z.ZodObject
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

type Part = Readonly<Record<string, unknown>>

/** A validated request; empty for a part without a rule. */
export interface CheckedRequest {
  readonly params: Part
  readonly query: Part
  readonly header: Part
  readonly body: unknown
}

/** Validates a request. @throws {InvalidRequest} with every entry: path, query, header, body */
export function checkedRequest({ params, query, header, body }: RequestRules, request: RawRequest): CheckedRequest {
  const entries: InvalidEntry[] = []
  const read = (where: 'path' | 'query' | 'header', rule: z.ZodObject | undefined, values: Readonly<Record<string, string>>): Part => {
    const parsed = rule?.safeParse(values)
    if (parsed?.success === false) entries.push(...parameterEntries(where, parsed.error, values))
    return parsed?.data ?? emptyPart
  }
  const checked = {
    params: read('path', params, request.params),
    query: read('query', query, request.query),
    header: read('header', header, request.headers),
  }
  entries.push(...request.unknownParameters.map((name) => unknownEntry(['query', name], request.query[name])))
  entries.push(...request.missingHeaders.map((name) => missingEntry(['header', name])))
  const refusals = request.body?.refusals
  const checkedBody =
    body === undefined || request.body === undefined || refusals !== undefined ? undefined : body.safeParse(request.body.value)
  if (body !== undefined && request.body === undefined) entries.push(missingEntry(['body']))
  else if (refusals !== undefined) entries.push(...refusals)
  else if (checkedBody?.success === false && request.body !== undefined) entries.push(...bodyEntries(checkedBody.error, request.body))
  if (entries.length > 0) throw new InvalidRequest(entries)
  return { ...checked, body: checkedBody?.data }
}

const emptyPart: Part = {}

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
